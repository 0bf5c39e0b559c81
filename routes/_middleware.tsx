import { staticFiles } from "fresh";
import { AdminErrorPage } from "@/components/admin/AdminErrorPage.tsx";
import { ErrorPage } from "@/components/ErrorPage.tsx";
import { adminLanguageOf, isBelowAdmin } from "@/lib/http/admin_language.ts";
import { files } from "@/lib/http/files.ts";
import { observe } from "@/lib/http/observe.ts";
import { define } from "@/lib/http/services.ts";
import { wordsOf } from "@/lib/ui/words/catalogue.ts";

export const handler = define.middleware([
  observe((error, { url, req, state }) =>
    isBelowAdmin(url.pathname)
      ? (
        <AdminErrorPage
          {...error}
          path={url.pathname}
          admin={state.admin ?? null}
          words={wordsOf(adminLanguageOf(req))}
        />
      )
      : <ErrorPage {...error} />
  ),
  files(staticFiles()),
]);
