// Shows /openapi.json; a file of its own, because the page's policy allows no script inside the page.
const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followScheme();
dark.addEventListener("change", followScheme);

// The page has a title and a main part already, so only the operations and their schemas are shown.
const plainLayout = ({ React: { createElement } }) => ({
  components: {
    // A link inside the button that opens an operation could be reached by no screen reader; the button does the same.
    DeepLink: ({ text }) => createElement("span", null, text),
    PlainLayout: ({ getComponent }) =>
      createElement(
        "div",
        { className: "swagger-ui" },
        createElement(getComponent("SvgAssets")),
        createElement(
          "div",
          { className: "unlock" },
          createElement(getComponent("AuthorizeBtnContainer", true)),
        ),
        createElement(getComponent("operations", true)),
        createElement(getComponent("Models", true)),
      ),
  },
});

// The fields in which values are tried have no labels: each is given the name of the parameter in whose row it stands.
function nameFields() {
  const rows = document.querySelectorAll("#api tr:is([data-property-name], [data-param-name])");
  for (const row of rows) {
    const { propertyName, paramName } = row.dataset;
    for (const field of row.querySelectorAll(":is(input, select, textarea):not([aria-label])")) {
      if (field.labels.length === 0) field.setAttribute("aria-label", propertyName ?? paramName);
    }
  }
}
new MutationObserver(nameFields).observe(document.querySelector("#api"), { childList: true, subtree: true });

async function show() {
  const response = await fetch("/openapi.json");
  if (!response.ok) throw new Error(`The description cannot be read: ${response.status}.`);
  const description = await response.json();
  const [firstChapter] = description.tags;
  const ui = globalThis.SwaggerUIBundle({
    // Requests go to the address that the page came from, which is the only one that its policy allows.
    spec: { ...description, servers: [{ url: location.origin }] },
    dom_id: "#api",
    layout: "PlainLayout",
    plugins: [plainLayout],
    validatorUrl: null,
    deepLinking: true,
    // Of all chapters at once, the library draws the first few operations and no others.
    docExpansion: "none",
    defaultModelsExpandDepth: 0,
    syntaxHighlight: false,
    onComplete: () => ui.layoutActions.show(["operations-tag", firstChapter.name], true),
  });
}

show().catch(() => {
  document.querySelector("#api-status").textContent =
    "The description of the interface could not be loaded. Load this page again in a moment.";
});
