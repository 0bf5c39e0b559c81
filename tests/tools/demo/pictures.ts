import { encodePng } from "@/lib/core/png.ts";
import { createDraw } from "./draw.ts";

type Color = readonly [red: number, green: number, blue: number];

/** Colors of pictures: paper, three of petals, leaf, soil. */
const PALETTES: readonly (readonly Color[])[] = [
  [[0xfb, 0xf3, 0xe4], [0x5b, 0x4b, 0xa8], [0x8d, 0x7f, 0xd1], [0xf2, 0xb1, 0x34], [0x3f, 0x7d, 0x4e]],
  [[0xe8, 0xf1, 0xee], [0xc4, 0x3d, 0x4b], [0xe8, 0x83, 0x7a], [0xff, 0xd9, 0x6a], [0x2e, 0x6b, 0x5a]],
  [[0xfd, 0xee, 0xe8], [0xd9, 0x6c, 0x1f], [0xf2, 0xa0, 0x4d], [0x6a, 0x3b, 0x1c], [0x5d, 0x8c, 0x3a]],
  [[0xe9, 0xee, 0xf8], [0x1f, 0x5f, 0xb0], [0x6b, 0x9f, 0xdc], [0xf6, 0xe2, 0x7a], [0x2f, 0x77, 0x63]],
  [[0xf6, 0xec, 0xf4], [0xa8, 0x3a, 0x86], [0xd8, 0x7f, 0xbb], [0xf4, 0xc5, 0x52], [0x4b, 0x74, 0x44]],
];
/** Indexes of the colors of a palette. */
const COLOR = { paper: 0, petal: 1, inner: 2, heart: 3, leaf: 4 } as const;

/** Returns a square PNG of a flower that is always the same for a name. */
export function drawFlower(name: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const draw = createDraw(`flower ${name}`);
  const petals = draw.between(4, 9);
  const depth = 0.2 + draw.unit() * 0.3;
  const turn = draw.unit() * Math.PI;
  const palette = draw.pick(PALETTES);
  return drawPicture(palette, size, (x, y) => {
    const radius = Math.hypot(x, y);
    const angle = Math.atan2(y, x) + turn;
    const edge = 0.82 * (1 - depth + depth * Math.abs(Math.cos(angle * petals / 2)));
    if (radius < 0.2) return COLOR.heart;
    if (radius < edge * 0.6) return COLOR.inner;
    if (radius < edge) return COLOR.petal;
    return y > 0.55 && Math.abs(x) < 0.9 - (1 - y) ? COLOR.leaf : COLOR.paper;
  });
}

/** Returns a square PNG of a plan of beds that is always the same for a name. */
export function drawBedPlan(name: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const draw = createDraw(`plan ${name}`);
  const columns = draw.between(3, 6);
  const crops = Array.from({ length: columns * columns }, () => draw.between(1, 4));
  return drawPicture(draw.pick(PALETTES), size, (x, y) => {
    const [column, row] = [(x + 1) / 2 * columns, (y + 1) / 2 * columns];
    const isPath = [column, row].some((position) => Math.abs(position % 1 - 0.5) > 0.4);
    return isPath ? COLOR.paper : crops[Math.floor(row) * columns + Math.floor(column)] ?? COLOR.paper;
  });
}

/** Draws a picture whose colors follow from coordinates between -1 and 1. */
function drawPicture(
  palette: readonly Color[],
  size: number,
  colorAt: (x: number, y: number) => number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = Uint8Array.from({ length: size * size }, (_, at) => {
    const [x, y] = [at % size, Math.floor(at / size)].map((pixel) => (pixel + 0.5) / size * 2 - 1);
    return colorAt(x ?? 0, y ?? 0);
  });
  return encodePng({ size, palette, pixels });
}

/** Returns a PNG as a file of a form. */
export function toPictureFile(bytes: Uint8Array<ArrayBuffer>, name: string): File {
  return new File([bytes], name, { type: "image/png" });
}
