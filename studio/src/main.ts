/** Entry point of the page. */
import { startPage } from "./page.ts";

void startPage();
