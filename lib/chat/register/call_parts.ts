import { z } from "zod";
import { hasToken } from "../calls/provider_token.ts";
import { part } from "./part.ts";

/** Whether the caller has let this server make video calls in his name. */
export const videoCalls = part(
  "has_videoprovider_token",
  z.object({ has_videoprovider_token: z.boolean() }),
  async ({ app, realm, user }) => ({ has_videoprovider_token: await hasToken(app, realm.id, user.id) }),
);
