import { page } from "fresh";
import { DocumentPage } from "@/components/docs/DocumentPage.tsx";
import { methods } from "@/lib/api/methods.ts";
import { type DocumentData, loadDocument, loadPicture } from "@/lib/pages/document_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<DocumentData>({
  GET: async (ctx) => await loadPicture(ctx) ?? page(await loadDocument(ctx)),
});

export default define.page<typeof handler>(({ data }) => <DocumentPage {...data} />);
