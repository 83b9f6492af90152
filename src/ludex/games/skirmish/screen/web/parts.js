/** The parts of the screen that are loaded when they are needed. */

const LOADERS = {
  effects: () => import("./effects.js"),
  framing: () => import("./framing.js"),
  history: () => import("./history.js"),
  overlays: () => import("./overlays.js"),
};

/** @type {Partial<{ [Name in keyof typeof LOADERS]: Awaited<ReturnType<(typeof LOADERS)[Name]>> }>} */
const loaded = {};

/**
 * A part of the screen; undefined until it is loaded.
 * @template {keyof typeof LOADERS} Name @param {Context} ctx @param {Name} name
 */
export function part(ctx, name) {
  if (!loaded[name])
    void LOADERS[name]().then((module) => {
      Object.assign(loaded, { [name]: module });
      ctx.redraw();
    });
  return loaded[name];
}
