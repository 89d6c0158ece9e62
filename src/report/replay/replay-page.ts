/** The player as text: the script of the element `castor-view`, and a page with a run that plays without a network. */
import { html, htmlText, jsonScript, trusted } from "../page/html.ts";
import { defineCastorView } from "./castor-view.ts";
import type { ReplayData } from "./replay-format.ts";

/** Script that defines the element `castor-view`. It needs no other file, and works in pages with a strict content policy. */
export const castorViewScript = (): string => `"use strict";\n(${defineCastorView})();\n`;

/** A page with the run. @param link an address that opens the run in the studio */
export function replayPage(data: ReplayData, link?: string): string {
  const style =
    "html,body{margin:0;height:100%;font:15px system-ui,sans-serif;background:#f3f5f8;color:#1b2128}" +
    "main{height:100%;display:flex;flex-direction:column}h1{font-size:16px;font-weight:600;margin:0;padding:10px 14px}" +
    "h1 a{font-weight:400;font-size:13px;margin-left:12px;color:#0a5fb4}castor-view{flex:1;min-height:0}" +
    "@media(prefers-color-scheme:dark){html,body{background:#0b0f14;color:#e6e9ed}h1 a{color:#6cb2f7}}";
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Castor">
<title>${data.title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
<h1>${data.title}${link === undefined ? "" : html`<a href="${link}">open in the studio</a>`}</h1>
<castor-view><script type="application/json">${jsonScript(data)}</script></castor-view>
</main>
<script>${trusted(castorViewScript())}</script>
</body>
</html>
`);
}
