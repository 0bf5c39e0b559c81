import { staticFiles } from "fresh";
import { AdminErrorPage } from "@/components/admin/shell/AdminErrorPage.tsx";
import { ErrorPage } from "@/components/ErrorPage.tsx";
import { hasSession } from "@/lib/api/page_session.ts";
import { compressPages } from "@/lib/api/compress_pages.ts";
import { adminLanguageOf, isBelowAdmin } from "@/lib/pages/admin_gate.ts";
import { serveStaticFiles } from "@/lib/server/static_files.ts";
import { observe } from "@/lib/server/observe.ts";
import { define } from "@/lib/services/services.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";
import { translatorOf } from "@/lib/ui/translate.ts";

/** Middlewares of every request, outermost first. */
export const rootMiddlewares = define.middleware([
  observe((error, ctx) =>
    isBelowAdmin(ctx.url.pathname)
      ? (
        <AdminErrorPage
          {...error}
          path={ctx.url.pathname}
          admin={ctx.state.admin ?? null}
          t={translatorOf(createFormatter({ language: adminLanguageOf(ctx.req), timeZone: "" }))}
        />
      )
      : <ErrorPage {...error} path={ctx.url.pathname} isSignedIn={hasSession(ctx)} />
  ),
  compressPages,
  serveStaticFiles(staticFiles()),
]);
