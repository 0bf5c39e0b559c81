import type { ActionContext, ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { sendBotEvents } from "@/lib/chat/people/users/bot_events.ts";
import { deletePicture, type PictureChange, replacePicture } from "@/lib/chat/organization/pictures.ts";
import { encodePng } from "@/lib/core/png.ts";
import { toAvatarUrl, toMediumAvatarUrl } from "./api.ts";
import { sendProfileEvent } from "@/lib/chat/organization/users/events.ts";
import { type Caller, isBot, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getManagedBot } from "@/lib/chat/organization/users/store.ts";
import { putUser } from "../put_user.ts";

type Color = readonly [red: number, green: number, blue: number];
/** Tints of one hue; the background first. */
type Palette = readonly [ground: Color, light: Color, middle: Color, deep: Color];

/** Palettes of the hues accent, success, focus and neutral. */
const PALETTES: readonly Palette[] = [
  [[0xff, 0xe6, 0xe1], [0xf7, 0xb9, 0xad], [0xda, 0x79, 0x67], [0xad, 0x30, 0x1c]],
  [[0xe4, 0xf1, 0xe8], [0xb4, 0xd4, 0xbe], [0x72, 0xa6, 0x84], [0x2a, 0x74, 0x49]],
  [[0xe0, 0xee, 0xff], [0xa9, 0xce, 0xfc], [0x5f, 0x9b, 0xe5], [0x00, 0x60, 0xc1]],
  [[0xec, 0xed, 0xee], [0xc9, 0xca, 0xce], [0x95, 0x98, 0x9e], [0x60, 0x63, 0x6a]],
];

/** A shape in a square with coordinates from 0 to 1, from the top left. */
interface Shape {
  /** Whether a point is inside. */
  readonly covers: (x: number, y: number) => boolean;
  /** Its outline as an SVG path. */
  readonly path: string;
}

/** Quarter disc, half disc, leaf, disc and triangle. */
const SHAPES: readonly Shape[] = [
  { covers: (x, y) => x * x + y * y <= 1, path: "M0 0H1A1 1 0 0 1 0 1z" },
  { covers: (x, y) => (x - 0.5) ** 2 + y * y <= 0.25, path: "M0 0H1A.5.5 0 0 1 0 0z" },
  {
    covers: (x, y) => (x <= 0.5 && y >= 0.5 ? isNear(x, y) : x < 0.5 || y > 0.5 || isNear(x, y)),
    path: "M0 0H.5A.5.5 0 0 1 1 .5V1H.5A.5.5 0 0 1 0 .5z",
  },
  {
    covers: (x, y) => (x - 0.5) ** 2 + (y - 0.5) ** 2 <= 0.375 ** 2,
    path: "M.125.5a.375.375 0 1 0 .75 0a.375.375 0 1 0-.75 0z",
  },
  { covers: (x, y) => x + y <= 1, path: "M0 0H1L0 1z" },
];

function isNear(x: number, y: number): boolean {
  return (x - 0.5) ** 2 + (y - 0.5) ** 2 <= 0.25;
}

/** Sizes of a drawn avatar, in pixels. */
export const IDENTICON_SIZES = { small: 100, medium: 200 } as const;
/** Points that are tested in each direction of a pixel, for smooth edges. */
const SAMPLES = 2;
/** Number of degrees to which a shape can cover a pixel, besides not at all. */
const LEVELS = SAMPLES * SAMPLES;

/** Returns the generated avatar of an id, always the same: its colors, and the shapes of its four cells. */
export function drawIdenticon(id: number) {
  const draw = createRandom(id);
  const [ground, ...tints] = pick(PALETTES, draw);
  const cells = [[0, 0], [1, 0], [0, 1], [1, 1]].map(([column = 0, row = 0]) => ({
    ...{ column, row, turns: draw(4), tint: draw(tints.length) },
    shape: pick(SHAPES, draw),
  }));
  return { ground, tints, cells };
}

/** Returns the generated avatar of an id as PNG; `size` is even, in pixels. */
export function renderIdenticon(id: number, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const { ground, tints, cells } = drawIdenticon(id);
  const pixels = new Uint8Array(size * size);
  for (const cell of cells) fillCell(pixels, { size, ...cell }, cell);
  const blends = tints.flatMap((tint) =>
    Array.from({ length: LEVELS }, (_, at) => blend(ground, tint, at + 1))
  );
  return encodePng({ size, palette: [ground, ...blends], pixels });
}

/** Draws a shape, turned by quarters, into one of the four cells. */
function fillCell(
  pixels: Uint8Array,
  { size, column, row }: { size: number; column: number; row: number },
  { shape, turns, tint }: { shape: Shape; turns: number; tint: number },
): void {
  const cell = size / 2;
  for (let y = 0; y < cell; y++) {
    for (let x = 0; x < cell; x++) {
      const level = measureCover(shape, turns, { x, y, cell });
      if (level > 0) pixels[(row * cell + y) * size + column * cell + x] = tint * LEVELS + level;
    }
  }
}

function measureCover(
  shape: Shape,
  turns: number,
  { x, y, cell }: { x: number; y: number; cell: number },
): number {
  let covered = 0;
  for (let sample = 0; sample < LEVELS; sample++) {
    const across = (x + (0.5 + sample % SAMPLES) / SAMPLES) / cell;
    const down = (y + (0.5 + Math.floor(sample / SAMPLES)) / SAMPLES) / cell;
    if (isInside(shape, turns, { across, down })) covered++;
  }
  return covered;
}

function isInside(shape: Shape, turns: number, { across, down }: { across: number; down: number }): boolean {
  if (turns === 0) return shape.covers(across, down);
  if (turns === 1) return shape.covers(down, 1 - across);
  return turns === 2 ? shape.covers(1 - across, 1 - down) : shape.covers(1 - down, across);
}

function blend(ground: Color, tint: Color, level: number): Color {
  const mix = (from: number, to: number) => Math.round(from + (to - from) * level / LEVELS);
  return [mix(ground[0], tint[0]), mix(ground[1], tint[1]), mix(ground[2], tint[2])];
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

/**
 * Sets the only picture among the files as the user's avatar and returns its URL.
 * @throws AppError BAD_REQUEST for no file, several files, a picture that is too large or unreadable;
 * RATE_LIMIT_HIT or UNAVAILABLE while too many pictures are worked on.
 */
export async function changeAvatar(
  app: ChatApp,
  caller: Caller,
  files: readonly Uint8Array[],
): Promise<{ avatar_url: string | null }> {
  return await replaceAvatar(app, caller, files);
}

/**
 * Sets the only picture among the files as the avatar of a bot, for its owner and for administrators.
 * @throws AppError as `changeAvatar`, and BAD_REQUEST or UNAUTHORIZED_PRINCIPAL for others.
 */
export async function changeBotAvatar(
  app: ChatApp,
  caller: Caller,
  { id, files }: { id: number; files: readonly Uint8Array[] },
): Promise<{ avatar_url: string | null }> {
  return await replaceAvatar(app, caller, files, (context) => getManagedBot(context, id));
}

/** Removes a user's avatar and returns the URL of the generated one. */
export async function removeAvatar(app: ChatApp, caller: Caller): Promise<{ avatar_url: string | null }> {
  return await replaceAvatar(app, caller, null);
}

/** Sets or removes the avatar of an account, by default of the caller; `getTarget` reads it in the transaction. */
async function replaceAvatar(
  app: ChatApp,
  caller: Caller,
  files: readonly Uint8Array[] | null,
  getTarget: (context: ActionContext) => UserRecord | Promise<UserRecord> = ({ actingUser }) => actingUser,
): Promise<{ avatar_url: string | null }> {
  const user = await replacePicture(app, caller, {
    files,
    exactlyOne: "You must upload exactly one avatar.",
    put: async (context, path) => await setAvatar(context, await getTarget(context), path),
  });
  return { avatar_url: toAvatarUrl(user, { app, realm: caller.realm, viewer: null }) };
}

/** Sets or removes an account's avatar in a transaction and sends the events; `path` is null for none. */
export async function setAvatar(
  context: ChangeContext,
  before: UserRecord,
  path: string | null,
): Promise<PictureChange<UserRecord>> {
  const { app, tx, realm } = context;
  if (before.avatar === null && path === null) return { changed: before, old: null };
  const user = { ...before, avatar: path, avatar_version: before.avatar_version + 1 };
  const old = deletePicture(context, before.avatar);
  await putUser(tx, realm.id, user);
  const avatar_url = toAvatarUrl(user, { app, realm, viewer: null });
  sendProfileEvent(context, user, {
    avatar_url,
    avatar_url_medium: toMediumAvatarUrl(user, { app, realm }),
    avatar_source: path === null ? "G" : "U",
    avatar_version: user.avatar_version,
  });
  if (isBot(user)) {
    await sendBotEvents(context, user, { op: "update", bot: { user_id: user.id, avatar_url } });
  }
  return { changed: user, old };
}
