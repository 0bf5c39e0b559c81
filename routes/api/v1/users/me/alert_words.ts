import {
  addAlertWords,
  addAlertWordsParams,
  alertWordsSchema,
  readAlertWords,
  removeAlertWords,
  removeAlertWordsParams,
  toAlertWords,
} from "@/lib/chat/people/alert_words.ts";
import { apiEndpoint, methods } from "@/lib/api/api_endpoint.ts";

export const handler = methods({
  GET: apiEndpoint({
    summary: "List your alert words",
    access: "anyone",
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
