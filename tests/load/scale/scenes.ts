import { PROJECT, RUNTIME_FLAGS, type TestServer } from "@/tests/helpers/server.ts";
import { callSotto } from "../call.ts";
import { authorize, signIn } from "../sign_in.ts";
import { printLine } from "../table.ts";
import { OWNER_EMAIL, OWNER_NAME, prepareStore, type SceneRecords } from "./prepare_store.ts";
import { type Scene, SEARCHED_WORD } from "./requests.ts";

/** Number of messages that each narrow finds at least; one request returns 100. */
const FOUND = 101;
const PASSWORD = "violet kettle seldom 42";

/** A store with what requests name in it. */
export interface PreparedStore {
  readonly path: string;
  readonly records: SceneRecords;
}

/** Writes a large demo to a new file; `volumes` are options of `deno task demo`. */
export async function createDemo(path: string, volumes: readonly string[]): Promise<void> {
  printLine(`creating: ${path} …`);
  const script = `${PROJECT}tests/tools/demo/main.ts`;
  const args = ["run", "-A", ...RUNTIME_FLAGS, "--no-check", script, "--large", ...volumes];
  const command = new Deno.Command(Deno.execPath(), { args, env: { KV_URL: path }, stdout: "null" });
  if (!(await command.spawn().status).success) throw new Error(`${path} was not created`);
}

/** Copies a demo's store to `target`, where its owner gets the password of the measurements. */
export async function prepareCopy(path: string, target: string): Promise<PreparedStore> {
  printLine(`copying: ${path} …`);
  await Deno.copyFile(path, target);
  return { path: target, records: await prepareStore(target, PASSWORD) };
}

/** Signs the owner in, and sends messages so that each narrow finds as many in all stores. */
export async function openScene(server: TestServer, records: SceneRecords): Promise<Scene> {
  const owner = { email: OWNER_EMAIL, password: PASSWORD };
  const authorization = await authorize(server, owner);
  const user = { id: 0, authorization };
  const topic = "measured";
  const send = (form: Record<string, string>) =>
    callSotto(server, { user, method: "POST", path: "/api/v1/messages", form });
  const channel = { type: "channel", to: String(records.channelId) };
  const direct = { type: "direct", to: JSON.stringify([records.partnerId]) };
  for (let number = 0; number < FOUND; number++) {
    await send({
      ...channel,
      topic: `found ${number}`,
      content: `@**${OWNER_NAME}** ${SEARCHED_WORD} ${number}`,
    });
    await send({ ...direct, content: `Found ${number}` });
  }
  const sent = await send({ ...channel, topic, content: "Measured" });
  const cookie = await signIn(server, owner);
  return { ...records, url: server.url, authorization, cookie, messageId: Number(sent["id"]), topic };
}
