import { Fragment, h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Island } from "./island.ts";
import type { RenderScope } from "./render_scope.ts";
import { serialize } from "./serialize.ts";

/** URLs of a build's scripts. */
export interface ScriptLocations {
  basePath: string;
  clientEntry: string;
}

/** The inline script that starts the page's islands; nothing for a page without any. */
export function islandScript(scope: RenderScope, { basePath, clientEntry }: ScriptLocations): string {
  if (scope.islands.size === 0) return "";
  const islands = [...scope.islands];
  const imports = islands.map((island, index) => importStatement(island, `i${index}`, basePath)).join("");
  const components = islands.map(({ name }, index) => `${JSON.stringify(name)}:i${index}`).join(",");
  const props = JSON.stringify(serialize(scope.islandProps)).replaceAll("<", "\\u003c");
  return `<script type="module" nonce="${scope.nonce}">` +
    `import{boot}from${quoted(basePath + clientEntry)};${imports}boot({${components}},${props})</script>`;
}

function importStatement({ file, exportName }: Island, binding: string, basePath: string): string {
  const imported = exportName === "default" ? binding : `{${exportName} as ${binding}}`;
  return `import ${imported} from${quoted(basePath + file)};`;
}

function quoted(url: string): string {
  return JSON.stringify(encodeURI(url));
}

/** Templates with the HTML of slots that their islands hold back at first. */
export function unrenderedSlots(scope: RenderScope): string {
  let html = "";
  for (let id = scope.unrenderedSlot(); id !== -1; id = scope.unrenderedSlot()) {
    const content = renderToString(h(Fragment, null, scope.takeSlot(id)));
    html += `<template id="frsh-slot-${id}">${content}</template>`;
  }
  return html;
}

/** The Link header that has the browser load the scripts early; empty for a page without islands. */
export function preloadHeader(scope: RenderScope, { basePath, clientEntry }: ScriptLocations): string {
  if (scope.islands.size === 0) return "";
  const files = new Set([clientEntry, ...Array.from(scope.islands, (island) => island.file)]);
  return Array.from(files, (file) => `<${encodeURI(basePath + file)}>; rel="modulepreload"; as="script"`)
    .join(", ");
}
