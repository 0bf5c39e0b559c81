import assert from "node:assert/strict";
import { findWidgetType, parseWidget } from "@/lib/chat/messages/submessages/model.ts";
import { parseWidgetChange } from "@/lib/chat/messages/submessages/add_submessage.ts";

Deno.test("findWidgetType() recognizes a command at the start of a message", () => {
  const types: [string, string | null][] = [
    ["/poll Tea?", "poll"],
    ["/poll", "poll"],
    ["/poll\nYes", "poll"],
    ["/todo Today", "todo"],
    ["/polls Tea?", null],
    ["/poll-x", null],
    ["a /poll", null],
    [" /poll", null],
    ["/POLL x", null],
    ["/me polls", null],
    ["", null],
  ];
  for (const [content, type] of types) assert.equal(findWidgetType(content), type, content);
});

Deno.test("parseWidget() returns the question and the options of a poll", () => {
  assert.deepEqual(parseWidget("poll", "/poll  Tea or coffee? \n* Tea\n- Coffee\n\n  Water\r\nTea-Time"), {
    widget_type: "poll",
    extra_data: { question: "Tea or coffee?", options: ["Tea", "Coffee", "Water", "Tea-Time"] },
  });
  assert.deepEqual(parseWidget("poll", "/poll"), {
    widget_type: "poll",
    extra_data: { question: "", options: [] },
  });
});

Deno.test("parseWidget() returns the title and the tasks of a to-do list", () => {
  assert.deepEqual(parseWidget("todo", "/todo Garden\nweed: all beds: soon\n- water\n*"), {
    widget_type: "todo",
    extra_data: {
      task_list_title: "Garden",
      tasks: [{ task: "weed", desc: "all beds: soon" }, { task: "water", desc: "" }],
    },
  });
});

Deno.test("parseWidgetChange() returns valid changes as JSON", () => {
  const poll = { widgetType: "poll", isAuthor: false } as const;
  const vote = '{"type":"vote","key":"canned,0","vote":-1}';
  assert.equal(parseWidgetChange(` ${vote} `, poll), vote);
  const author = { widgetType: "poll", isAuthor: true } as const;
  for (
    const sent of ['{"type":"question","question":"Why?"}', '{"type":"new_option","option":"a","idx":0}']
  ) {
    assert.equal(parseWidgetChange(sent, author), sent);
  }
  const todo = { widgetType: "todo", isAuthor: false } as const;
  for (
    const sent of [
      '{"type":"new_task","key":2,"task":"a","desc":"","completed":false}',
      '{"type":"strike","key":"0,canned"}',
    ]
  ) assert.equal(parseWidgetChange(sent, todo), sent);
});

Deno.test("parseWidgetChange() refuses invalid changes, and those that only the sender can make", () => {
  const refusals: ["poll" | "todo", string, string][] = [
    ["poll", "", "Invalid json for submessage"],
    ["poll", "{", "Invalid json for submessage"],
    ["poll", "null", "Invalid poll data"],
    ["poll", "[]", "Invalid poll data"],
    ["poll", '{"type":1}', "Invalid poll data"],
    ["poll", '{"type":"strike","key":"a"}', "Unknown type for poll data: strike"],
    ["poll", '{"type":"toString"}', "Unknown type for poll data: toString"],
    ["poll", '{"type":"vote","key":"a","vote":2}', "Invalid poll data: vote"],
    ["poll", '{"type":"vote","key":"a"}', "Invalid poll data: vote"],
    ["poll", '{"type":"vote","key":"a","vote":1,"x":1}', "Invalid poll data"],
    ["poll", '{"type":"new_option","option":"a","idx":1001}', "Invalid poll data: idx"],
    ["poll", '{"type":"question","question":"b"}', "You can't edit a question unless you are the author."],
    ["todo", '{"type":"vote","key":"a","vote":1}', "Unknown type for todo data: vote"],
    [
      "todo",
      '{"type":"new_task","key":"a","task":"a","desc":"","completed":false}',
      "Invalid todo data: key",
    ],
    [
      "todo",
      '{"type":"new_task_list_title","title":"b"}',
      "You can't edit the task list title unless you are the author.",
    ],
  ];
  for (const [widgetType, sent, message] of refusals) {
    const change = () => parseWidgetChange(sent, { widgetType, isAuthor: false });
    assert.throws(change, { code: "BAD_REQUEST", message }, sent);
  }
});
