/** Former path of `/settings`, which old clients still use. */
export { handler } from "./index.ts";
