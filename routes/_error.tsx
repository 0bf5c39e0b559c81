import { ErrorPage } from "@/components/ErrorPage.tsx";
import { define } from "@/lib/http/services.ts";

export default define.page(({ state }) => (
  <ErrorPage status={500} message="Something went wrong on the server." requestId={state.requestId} />
));
