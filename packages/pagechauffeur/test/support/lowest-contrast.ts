/** The lowest contrast of a text to what is behind it, as WCAG counts it; an expression for the page. */
export const LOWEST_CONTRAST = `(() => {
  const channels = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (color) => {
    const [red, green, blue] = channels(color).map((value) =>
      value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const contrasts = [...document.querySelectorAll('body *')]
    .filter((node) => [...node.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()))
    .filter((node) => node.offsetParent && !node.disabled && node.checkVisibility())
    .map((node) => [light(getComputedStyle(node).color), light(behind(node))].toSorted((one, other) => other - one))
    .map(([high, low]) => (high + 0.05) / (low + 0.05));
  return Math.min(...contrasts);
})()`;
