import { ErrorPage } from "@/components/ErrorPage.tsx";
import { define } from "@/lib/services/services.ts";

export default define.layout(({ state }) => (
  <ErrorPage status={500} message="The server could not complete the request." requestId={state.requestId} />
));
