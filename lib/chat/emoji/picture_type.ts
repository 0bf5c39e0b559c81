/** The first bytes of the pictures that may be an emoji; -1 stands for any byte. */
const SIGNATURES: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38, 0x37, 0x61]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46, -1, -1, -1, -1, 0x57, 0x45, 0x42, 0x50]],
];

/** The media type of a picture by its first bytes, whatever it is said to be; null for anything else. */
export function pictureType(content: Uint8Array): string | null {
  const found = SIGNATURES.find(([, bytes]) =>
    content.length > bytes.length && bytes.every((byte, at) => byte === -1 || byte === content[at])
  );
  return found?.[0] ?? null;
}
