const BROWSERS = [
  { name: "Edge", pattern: /\bEdg(e|A|iOS)?\// },
  { name: "Opera", pattern: /\bOPR\// },
  { name: "Firefox", pattern: /\b(Firefox|FxiOS)\// },
  { name: "Chrome", pattern: /\b(Chrome|CriOS)\// },
  { name: "Safari", pattern: /\bSafari\// },
];
const SYSTEMS = [
  { name: "Android", pattern: /Android/ },
  { name: "iPhone", pattern: /iPhone/ },
  { name: "iPad", pattern: /iPad/ },
  { name: "Windows", pattern: /Windows/ },
  { name: "macOS", pattern: /Mac OS X/ },
  { name: "Linux", pattern: /Linux/ },
];

/** A browser and its system in words, such as `Firefox on Linux`, for its owner to know it by. */
export function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(({ pattern }) => pattern.test(userAgent))?.name ?? "A browser";
  const system = SYSTEMS.find(({ pattern }) => pattern.test(userAgent))?.name;
  return system === undefined ? browser : `${browser} on ${system}`;
}
