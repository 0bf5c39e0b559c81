import { registerPush } from "@/lib/bouncer/registration.ts";
import { remoteServerOf, requireRemote } from "@/lib/http/remote_server.ts";
import { described, text } from "@/lib/chat/params/param.ts";
import { apiEndpoint } from "@/lib/http/api_endpoint.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Register a device of another server for notifications",
    description: "For servers: Basic credentials are the organization's id and key.",
    who: "public",
    before: requireRemote,
    params: {
      realm_uuid: described(text(), "The organization of the server."),
      token_id: described(text(), "Base64 of the first 8 bytes of the SHA-256 of the token."),
      encrypted_push_registration: described(text(), "Base64 of what the device sealed."),
      bouncer_public_key: described(text(), "Base64 of the key that it was sealed for."),
    },
    refusals: ["BAD_REQUEST", "INVALID_BOUNCER_PUBLIC_KEY", "REQUEST_EXPIRED", "MISSING_REMOTE_REALM"],
  }, async ({ services, params, ctx }) => {
    await registerPush(services.bouncer, remoteServerOf(ctx), params);
  }),
});
