import { initPhoton } from "@cf-wasm/photon/others";
import { concatBytes } from "@/lib/core/bytes.ts";

export { crop, PhotonImage, resize, SamplingFilter } from "@cf-wasm/photon/others";

/** Maximum memory in pages of 64 KiB, as stored in a module: 512 MiB. The largest images take 400 MiB. */
const MAX_PAGES = [0x80, 0x40];
/** Kind of the section that declares the memory of a module. */
const MEMORY = 5;

/**
 * Returns a WebAssembly module whose memory has a limit; work that needs more fails. As it is compiled, the
 * decoder may take 4 GiB, and a crafted file a thousand times its size.
 */
function limitMemory(module: Uint8Array): Uint8Array<ArrayBuffer> {
  // The sections follow a header of eight bytes.
  for (let at = 8; at < module.length;) {
    const length = readNumber(module, at + 1);
    const end = length.end + length.value;
    if (module[at] === MEMORY) {
      // One memory with the flag 0: without a limit. Its initial size follows.
      const initial = module.subarray(length.end + 2, end);
      const limited = [1, 1, ...initial, ...MAX_PAGES];
      const section = Uint8Array.of(MEMORY, limited.length, ...limited);
      return concatBytes([module.subarray(0, at), section, module.subarray(end)]);
    }
    at = end;
  }
  throw new TypeError("The decoder has no memory of its own.");
}

/** Reads a number of seven bits a byte, the lowest first. */
function readNumber(module: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start, shift = 0;; at++, shift += 7) {
    const byte = module[at] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

// Workers lose messages that arrive while their modules wait for a promise.
const wasm = Deno.readFileSync(new URL(import.meta.resolve("@cf-wasm/photon/photon.wasm")));
initPhoton.sync({ module: new WebAssembly.Module(limitMemory(wasm)) });
