// POST and DELETE /users/me/android_gcm_reg_id, /users/me/apns_device_token
import assert from "node:assert/strict";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("push tokens of older apps are refused, because notifications are encrypted", async () => {
  await using chat = await startChat();
  for (const path of ["/users/me/android_gcm_reg_id", "/users/me/apns_device_token"]) {
    const ask = async (method: string, params: Record<string, string>) => {
      const { status, body } = await chat.call(chat.member, `${method} ${path}`, params);
      return [status, body.code, body.msg, body["ignored_parameters_unsupported"]];
    };
    assert.deepEqual(
      await ask("POST", { token: "aabb", ...(path.includes("apns") ? { appid: "a.b" } : {}) }),
      [
        400,
        "PUSH_SERVICE_NOT_CONFIGURED",
        "This server sends encrypted push notifications only. Update your app.",
        undefined,
      ],
    );
    for (const token of ["", "a".repeat(4097)]) {
      assert.deepEqual((await ask("POST", { token })).slice(0, 3), [
        400,
        "BAD_REQUEST",
        "Empty or invalid length token",
      ]);
    }
    assert.deepEqual((await ask("DELETE", { token: "aabb" })).slice(0, 3), [
      400,
      "BAD_REQUEST",
      "Token does not exist",
    ]);
    assert.equal((await ask("POST", {}))[1], "REQUEST_VARIABLE_MISSING");
    const { body } = await chat.call(chat.bot, `POST ${path}`, { token: "a" });
    assert.equal(body.msg, "This endpoint does not accept bot requests.");
    assert.equal((await chat.call(null, `DELETE ${path}`)).status, 401);
  }
  assert.deepEqual(await chat.events(), []);
});
