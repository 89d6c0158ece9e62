/** A button with a menu of actions. */
import { h, type IconName, icon } from "./dom.ts";

export interface MenuItem {
  readonly text: string;
  action(): void;
}

let menuCount = 0;

/** The menu is a popover of the browser next to the button. Escape and a click elsewhere close it. */
export function menuButton(name: IconName, label: string, items: readonly MenuItem[], text?: string): HTMLElement {
  const id = `menu-${++menuCount}`;
  const list = h(
    "div",
    { id, popover: "auto", class: "menu", role: "menu", "aria-label": label, onkeydown: moveFocus },
    ...items.map(({ text: itemText, action }) => {
      const choose = (): void => {
        list.hidePopover();
        action();
      };
      return h("button", { type: "button", role: "menuitem", onclick: choose }, itemText);
    }),
  );
  const button = h(
    "button",
    {
      type: "button",
      class: text === undefined ? "icon-button" : "plain with-icon",
      "aria-label": label,
      title: label,
      "aria-haspopup": "menu",
      popovertarget: id,
    },
    icon(name),
    text && h("span", { class: "word" }, text),
  );
  list.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState !== "open") return;
    placeBeside(list, button);
    list.querySelector("button")?.focus();
  });
  return h("span", { class: text === "Export" ? "menu-holder export-menu" : "menu-holder" }, button, list);
}

/** Places a popover below its button (above, if there is no room), aligned towards the middle of the window and inside it. */
export function placeBeside(list: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const preferredLeft = anchor.left + anchor.right < innerWidth ? anchor.left : anchor.right - width;
  const left = Math.max(6, Math.min(preferredLeft, innerWidth - width - 6));
  const below = anchor.bottom + 4;
  const top = below + height > innerHeight - 6 ? Math.max(6, anchor.top - height - 4) : below;
  list.style.left = `${left}px`;
  list.style.top = `${top}px`;
}

function moveFocus(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
  const current = items.indexOf(document.activeElement as HTMLButtonElement);
  items[(current + step + items.length) % items.length]?.focus();
}
