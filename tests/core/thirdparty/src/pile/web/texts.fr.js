// @ts-check

/** @type {Record<keyof typeof import("./texts.en.js").default, string>} */
export default {
  left: "il en reste {count}",
  take: "Prendre {count}",
};
