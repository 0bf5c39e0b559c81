import { staticFiles } from "fresh";
import { ErrorPage } from "@/components/ErrorPage.tsx";
import { define } from "@/lib/http/services.ts";
import { observe } from "@/lib/http/observe.ts";
import { keepVendorFiles } from "@/lib/http/vendor_files.ts";

export const handler = define.middleware([
  observe((error) => <ErrorPage {...error} />),
  keepVendorFiles,
  staticFiles(),
]);
