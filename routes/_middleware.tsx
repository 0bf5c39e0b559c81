import { staticFiles } from "fresh";
import { ErrorPage } from "@/components/ErrorPage.tsx";
import { files } from "@/lib/http/files.ts";
import { observe } from "@/lib/http/observe.ts";
import { define } from "@/lib/http/services.ts";

export const handler = define.middleware([
  observe((error) => <ErrorPage {...error} />),
  files(staticFiles()),
]);
