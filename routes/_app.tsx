import { asset } from "fresh/runtime";
import { adminLanguageOf } from "@/lib/pages/admin_gate.ts";
import { define } from "@/lib/services/services.ts";
import { readTheme } from "@/lib/pages/theme.ts";
import { directionOf } from "@/lib/ui/formatter.ts";
import { vendorPath } from "@/lib/ui/vendor.ts";
import type { Theme } from "@/lib/ui/themes.ts";

/** Background colors of both schemes, for the browser's own bars. */
const PAPER = [{ scheme: "light", color: "#fbfaf7" }, { scheme: "dark", color: "#0f1014" }];
/** Fonts used above the fold. */
const FIRST_FONTS = ["inter.woff2", "newsreader.woff2"];

export default define.layout(({ Component, req, state }) => (
  <html
    lang={adminLanguageOf(req)}
    dir={directionOf(adminLanguageOf(req))}
    data-theme={readTheme(req, state.app.isHttps)}
  >
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Sotto</title>
      <meta name="description" content="Short links with invisible characters." />
      <SchemeMetas theme={readTheme(req, state.app.isHttps)} />
      {FIRST_FONTS.map((font) => (
        <link
          key={font}
          rel="preload"
          as="font"
          type="font/woff2"
          href={vendorPath(font)}
          crossorigin="anonymous"
        />
      ))}
      <link rel="stylesheet" href={asset("/styles.css")} />
      <link rel="icon" type="image/svg+xml" href={asset("/icon.svg")} />
    </head>
    <body>
      <Component />
    </body>
  </html>
));

/**
 * Renders the meta tags that apply the chosen scheme before the first paint, also to the browser's own bars.
 */
function SchemeMetas({ theme }: { theme: Theme }) {
  const papers = PAPER.filter(({ scheme }) => theme === "system" || theme === scheme);
  return (
    <>
      <meta name="color-scheme" content={papers.map(({ scheme }) => scheme).join(" ")} />
      {papers.map(({ scheme, color }) => (
        <meta
          key={scheme}
          name="theme-color"
          content={color}
          media={theme === "system" ? `(prefers-color-scheme: ${scheme})` : undefined}
        />
      ))}
    </>
  );
}
