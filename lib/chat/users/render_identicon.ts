/** Tints of one hue as hexadecimal colors, which every SVG renderer supports; the background first. */
type Palette = readonly [ground: string, light: string, middle: string, deep: string];

/** Palettes of the hues accent, success, focus and neutral. */
const PALETTES: readonly Palette[] = [
  ["#ffe6e1", "#f7b9ad", "#da7967", "#ad301c"],
  ["#e4f1e8", "#b4d4be", "#72a684", "#2a7449"],
  ["#e0eeff", "#a9cefc", "#5f9be5", "#0060c1"],
  ["#ecedee", "#c9cace", "#95989e", "#60636a"],
];

/** Shapes in a 24 by 24 square: quarter disc, half disc, leaf, disc, triangle. */
const SHAPES: readonly string[] = [
  "M0 0H24A24 24 0 0 1 0 24Z",
  "M0 0H24A12 12 0 0 1 0 0Z",
  "M0 0H12A12 12 0 0 1 24 12V24H12A12 12 0 0 1 0 12Z",
  "M12 3A9 9 0 1 1 12 21A9 9 0 1 1 12 3Z",
  "M0 0H24L0 24Z",
];
const CELL = 24;

/** Returns the generated avatar of an id as SVG: four flat shapes, always the same for the same id. */
export function renderIdenticon(id: number): string {
  const draw = createRandom(id);
  const [ground, ...tints] = pick(PALETTES, draw);
  const cells = [[0, 0], [1, 0], [0, 1], [1, 1]].map(([column = 0, row = 0]) => {
    const middle = CELL / 2;
    const turn = `rotate(${90 * draw(4)} ${middle} ${middle})`;
    return `<path transform="translate(${column * CELL} ${row * CELL}) ${turn}" fill="${
      pick(tints, draw)
    }" ` +
      `d="${pick(SHAPES, draw)}"/>`;
  });
  const size = 2 * CELL;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="96" height="96">` +
    `<path fill="${ground}" d="M0 0H${size}V${size}H0Z"/>${cells.join("")}</svg>`;
}

function pick<T>(list: readonly T[], draw: (limit: number) => number): T {
  const picked = list[draw(list.length)];
  if (picked === undefined) throw new RangeError("There is nothing to pick from");
  return picked;
}

/** Returns a pseudo-random generator of integers below a limit, determined by `seed` (mulberry32). */
function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
