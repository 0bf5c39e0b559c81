import { asset, Head } from "fresh/runtime";
import { vendorPath } from "@/lib/ui/vendor.ts";
import { PageTitle, SitePage } from "../PageFrame.tsx";
import { Link } from "../Link.tsx";

/** Renders the interactive API documentation. */
export function ApiDocs({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <SitePage title="API documentation" current="/docs" isWide isSignedIn={isSignedIn}>
      <Head>
        <link key="swagger-ui" rel="stylesheet" href={vendorPath("swagger-ui.css")} />
        <link key="docs" rel="stylesheet" href={asset("/docs.css")} />
        <script src={vendorPath("swagger-ui.js")} defer />
        <script src={asset("/docs.js")} defer />
      </Head>
      <PageTitle title="API documentation">
        Read about and try every endpoint of this server. Also available as{" "}
        <Link class="link" href="/openapi.json">OpenAPI 3.1</Link>.
      </PageTitle>
      <noscript>
        <p class="mt-6">
          The interactive documentation requires JavaScript. You can read the{" "}
          <Link class="link" href="/openapi.json">OpenAPI description</Link> without it.
        </p>
      </noscript>
      <p id="api-status" role="status" class="mt-6 text-accent" />
      <h2 class="sr-only">Endpoints</h2>
      <div id="api" class="mt-2" />
    </SitePage>
  );
}
