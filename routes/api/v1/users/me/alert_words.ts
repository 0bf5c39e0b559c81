import {
  addAlertWords,
  addAlertWordsParams,
  alertWordsSchema,
  readAlertWords,
  removeAlertWords,
  removeAlertWordsParams,
  toAlertWords,
} from "@/lib/chat/people/alert_words.ts";
import { apiEndpoint } from "@/lib/api/api_endpoint.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your alert words",
    access: "anyone",
    params: {},
    success: alertWordsSchema,
  }, async ({ app, realm, user }) => toAlertWords(await readAlertWords(app, realm.id, user.id))),
  POST: apiEndpoint({
    summary: "Add alert words",
    description: "Messages written from now on that contain one get the flag `has_alert_word` for you.",
    access: "anyone",
    params: addAlertWordsParams,
    success: alertWordsSchema,
  }, async ({ app, caller, params }) => {
    return toAlertWords(await addAlertWords(app, caller, params.alert_words));
  }),
  DELETE: apiEndpoint({
    summary: "Remove alert words",
    access: "anyone",
    params: removeAlertWordsParams,
    success: alertWordsSchema,
  }, async ({ app, caller, params }) => {
    return toAlertWords(await removeAlertWords(app, caller, params.alert_words));
  }),
});
