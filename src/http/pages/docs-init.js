// A file of its own, because the page allows no inline script.

/** The parts beside the operations, by their classes. */
const REGIONS = { "information-container": "About", "schemes-server-container": "Server and authorization" };
const LEVELS = { H2: 2, H3: 2, H4: 3, H5: 4, H6: 5 };

/** Adds what Swagger UI lacks for people who use a screen reader or a keyboard. */
function mend(root) {
  // A link inside a button cannot be reached; the button leads to the same place.
  for (const link of root.querySelectorAll("button a[href]")) link.removeAttribute("href");
  for (const heading of root.querySelectorAll("h2, h3, h4, h5, h6")) {
    // Below the title, operations stand in groups, without a level between them.
    set(heading, "aria-level", String(LEVELS[heading.tagName]));
  }
  for (const field of root.querySelectorAll("select, textarea, input")) {
    const isLabelled = [...(field.labels ?? [])].some(
      (label) => label.firstChild !== field && label.textContent !== "",
    );
    if (!isLabelled && !field.hasAttribute("aria-labelledby")) set(field, "aria-label", nameOf(field));
  }
  for (const [name, label] of Object.entries(REGIONS)) {
    for (const part of root.getElementsByClassName(name)) describe(part, "region", label);
  }
  for (const dialog of root.querySelectorAll(".modal-ux")) describe(dialog, "dialog", "Available authorizations");
  for (const button of root.querySelectorAll(".close-modal")) set(button, "aria-label", "Close");
  // Its own text says it.
  for (const button of root.querySelectorAll(".modal-btn[aria-label]")) button.removeAttribute("aria-label");
  for (const text of root.querySelectorAll("pre, .highlight-code, .model-box, .renderedMarkdown")) {
    if (text.scrollWidth > text.clientWidth || text.scrollHeight > text.clientHeight) set(text, "tabindex", "0");
  }
}

function describe(element, role, label) {
  set(element, "role", role);
  set(element, "aria-label", label);
}

/** Sets an attribute only if it differs, because each change runs the observer again. */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Returns a name for a field without a label, from the text around it. */
function nameOf(field) {
  if (field.id === "servers") return "Server";
  if (field.classList.contains("examples-select-element")) return "Example";
  if (field.closest(".content-type-wrapper")) return "Media type";
  const parameter = field.closest("tr")?.querySelector(".parameter__name");
  if (parameter) return parameter.firstChild?.textContent?.trim() || "Value";
  return field.closest(".opblock-section-request-body") ? "Request body" : field.placeholder || "Value";
}

const docs = document.querySelector("#docs");
new MutationObserver(() => mend(docs)).observe(docs, { childList: true, subtree: true, attributes: true });

window.SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  // Its colors are those of one theme.
  syntaxHighlight: false,
});
