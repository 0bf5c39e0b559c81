import type { DocumentData } from "@/lib/pages/document_page.ts";
import { SitePage } from "../PageFrame.tsx";

/** Renders a document of the project. */
export function DocumentPage({ title, html, isSignedIn }: DocumentData) {
  return (
    <SitePage title={title} isSignedIn={isSignedIn}>
      {/* Made from a file of the project. */}
      <article class="document" dangerouslySetInnerHTML={{ __html: html }} />
    </SitePage>
  );
}
