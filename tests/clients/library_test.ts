import assert from "node:assert/strict";
import { call, pythonClientTest } from "./client_stage.ts";
import { callChannelMethods, callMessageMethods, callReadMethods } from "./library_conversations.ts";
import {
  callGroupMethods,
  callRealmMethods,
  callServerMethods,
  callStorageMethods,
  callUserMethods,
} from "./library_organization.ts";
import { PythonLibrary } from "./python_library.ts";

/** Methods without a call of the API of their own. The others use them. */
const PARTS = ["call_endpoint", "do_api_query", "ensure_session", "get_user_agent"];

pythonClientTest("every method of the Python library works", async (stage) => {
  await using library = new PythonLibrary(stage, stage.ada);
  await callMessageMethods(stage, library);
  await callReadMethods(stage, library);
  await callChannelMethods(stage, library);
  await callUserMethods(stage, library);
  await callGroupMethods(stage, library);
  await callRealmMethods(stage, library);
  await callServerMethods(stage, library);
  await using ofBot = new PythonLibrary(stage, stage.bot);
  await callStorageMethods(ofBot);

  const listeners = ["call_on_each_event", "call_on_each_message"];
  for (const method of listeners) {
    const waiting = () => stage.server.metric("sotto_requests_waiting");
    await stage.server.waitFor("no request waits for events", waiting, (count) => count === 0);
    await using listener = new PythonLibrary(stage, stage.bob);
    await listener.listen(method);
    await stage.server.waitFor("the listener waits for events", waiting, (count) => count === 1);
    const message = { type: "direct", to: [stage.bob.id], content: "Are you there?" };
    const { id } = await call(stage, stage.ada, ["POST", "messages", message]);
    const received = await listener.next();
    assert.equal((received.message ?? received).id, id);
  }

  const called = new Set([...library.called, ...ofBot.called, ...listeners]);
  const methods = await library.listMethods();
  assert.ok(methods.length > 70, `${methods}`);
  assert.deepEqual(methods.filter((method) => !called.has(method)), PARTS);
});
