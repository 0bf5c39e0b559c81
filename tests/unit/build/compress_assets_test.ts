import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { compressAssets } from "@/lib/build/compress_assets.ts";
import { openCompressedAssets } from "@/lib/services/compressed_assets.ts";

const LONG = "a { color: red }\n".repeat(100);
const SHORT = "a{}";

/** Folders of a build that end with the test. */
async function makeFolders() {
  const path = await Deno.makeTempDir({ prefix: "sotto-assets-" });
  const root = pathToFileURL(`${path}/`);
  const [plain, transformed, output] = [
    new URL("static/", root),
    new URL("built/", root),
    new URL("compressed/", root),
  ];
  await Deno.mkdir(new URL("js/", transformed), { recursive: true });
  await Deno.mkdir(plain);
  return {
    plain,
    transformed,
    output,
    compress: () => compressAssets({ sources: [plain, transformed], output }),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("compressAssets() writes both encodings of texts, where they are smaller", async () => {
  await using folders = await makeFolders();
  const { plain, transformed, output } = folders;
  await Deno.writeTextFile(new URL("long.css", plain), "replaced");
  await Deno.writeTextFile(new URL("long.css", transformed), LONG);
  await Deno.writeTextFile(new URL("js/short.js", transformed), SHORT);
  await Deno.writeTextFile(new URL("picture.png", plain), LONG);
  await folders.compress();
  const assets = openCompressedAssets(output);
  const long = await assets.find("/long.css", LONG.length);
  assert.deepEqual(long?.codings, ["br", "gzip"]);
  for (const [coding, decompress] of [["br", brotliDecompressSync], ["gzip", gunzipSync]] as const) {
    const form = await assets.read(long, coding);
    assert.equal(form && String(decompress(form.bytes)), LONG);
  }
  assert.deepEqual((await assets.find("/js/short.js", SHORT.length))?.codings, []);
  assert.equal(await assets.find("/picture.png", LONG.length), null);
  assert.equal(
    await assets.find("/long.css", LONG.length + 1),
    null,
    "a file of another size is another file",
  );
});

Deno.test("compressAssets() keeps the files of unchanged assets and removes those of others", async () => {
  await using folders = await makeFolders();
  const { plain, output } = folders;
  await Deno.writeTextFile(new URL("kept.css", plain), LONG);
  await Deno.writeTextFile(new URL("changed.css", plain), LONG + "b {}");
  await folders.compress();
  const old = openCompressedAssets(output);
  const kept = await old.find("/kept.css", LONG.length);
  const changed = await old.find("/changed.css", LONG.length + 4);
  assert.ok(kept !== null && changed !== null);
  const { ino } = await Deno.stat(new URL(`${kept.name}.br`, output));
  await Deno.writeTextFile(new URL("changed.css", plain), LONG + "c {}");
  await folders.compress();
  assert.equal((await Deno.stat(new URL(`${kept.name}.br`, output))).ino, ino);
  assert.equal(await old.read(changed, "br"), null, "the list of an earlier build names a removed file");
  const names = [...Deno.readDirSync(output)].map(({ name }) => name);
  assert.equal(names.length, 5, names.join(" "));
});

Deno.test("openCompressedAssets() finds nothing in a folder that does not exist", async () => {
  const assets = openCompressedAssets(new URL("file:///does/not/exist/"));
  assert.equal(await assets.find("/styles.css", 1), null);
});
