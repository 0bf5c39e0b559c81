import { keyedAsset } from "../runtime/asset.ts";

/** Which static files a transformation is for. */
export interface OnTransformOptions {
  pluginName: string;
  filter: RegExp;
  exclude?: (string | RegExp)[];
}

/** A static file that is to be transformed. */
export interface OnTransformArgs {
  path: string;
  target: string | string[];
  text: string;
  content: Uint8Array;
  mode: "development" | "production";
  root: string;
}

/** The new content of a file. */
export interface OnTransformResult {
  content: string | Uint8Array;
  path?: string;
  map?: string | Uint8Array;
}

/** Transforms one static file; nothing returned means that it stays as it is. */
export type TransformFn = (
  args: OnTransformArgs,
) => OnTransformResult | void | Promise<OnTransformResult | void>;

/** Settings common to all files of a build. */
export type TransformSettings =
  & Pick<OnTransformArgs, "target" | "mode" | "root">
  & { buildId: string };

/** Runs the transformations of a builder, in the order they were added, on its static files. */
export class FileTransformer {
  readonly #transforms: { options: OnTransformOptions; run: TransformFn }[] = [];

  /** Adds a transformation. */
  add(options: OnTransformOptions, run: TransformFn): void {
    this.#transforms.push({ options, run });
  }

  /** True when some transformation takes the file, so that its content has to be read at build time. */
  takes(path: string): boolean {
    return path.endsWith(".css") ||
      this.#transforms.some(({ options }) => isChosen(path, options));
  }

  /** The content of a file after all transformations; local URLs in a style sheet get the build's key. */
  async apply(path: string, settings: TransformSettings): Promise<Uint8Array<ArrayBuffer>> {
    let content = await Deno.readFile(path);
    for (const { options, run } of this.#transforms) {
      if (!isChosen(path, options)) continue;
      const { target, mode, root } = settings;
      const text = new TextDecoder().decode(content);
      const result = await run({ path, target, mode, root, content, text });
      if (result) content = toBytes(result.content);
    }
    return path.endsWith(".css") ? toBytes(withKeyedUrls(content, settings.buildId)) : content;
  }
}

function isChosen(path: string, { filter, exclude = [] }: OnTransformOptions): boolean {
  if (path.search(filter) === -1) return false;
  return !exclude.some((rule) => typeof rule === "string" ? path.includes(rule) : path.search(rule) !== -1);
}

function toBytes(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
}

function withKeyedUrls(content: Uint8Array, buildId: string): string {
  return new TextDecoder().decode(content).replaceAll(
    /url\((["']?)(\/[^"')]+)\1\)/g,
    (_, _quote, url) => `url(${JSON.stringify(keyedAsset(url, buildId))})`,
  );
}
