// @ts-check

export default {
  left: "{count} left",
  take: "Take {count}",
};
