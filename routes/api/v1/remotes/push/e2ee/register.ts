import { registerPush } from "@/lib/bouncer/registration.ts";
import { remoteServerOf, requireRemote } from "@/lib/api/remote_server.ts";
import { described, text } from "@/lib/chat/organization/params/param.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  POST: apiEndpoint({
    summary: "Register a device of another server for push notifications",
    description: "For servers, with the server's id and key as Basic credentials.",
    access: "public",
    isForServers: true,
    before: requireRemote,
    params: {
      realm_uuid: described(text(), "UUID of the server's organization."),
      token_id: described(text(), "Base64 of the first 8 bytes of the token's SHA-256."),
      encrypted_push_registration: described(text(), "Base64 of the registration that the device sealed."),
      bouncer_public_key: described(text(), "Base64 of the public key that it is sealed for."),
    },
    refusals: [
      "INVALID_BOUNCER_PUBLIC_KEY",
      "REQUEST_EXPIRED",
      "MISSING_REMOTE_REALM",
      "UNAUTHORIZED",
      "INVALID_API_KEY",
    ],
  }, ({ services, params, ctx }) => registerPush(services.bouncer, remoteServerOf(ctx), params)),
});
