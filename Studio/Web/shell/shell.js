// The frame around every page: rail, bar, strip, and what lies above them all.
import { html } from "../lib/preact.js";
import { Bar } from "./bar.js";
import { Questions } from "./dialogs.js";
import { Help } from "./help.js";
import { Notices } from "./notices.js";
import { Palette } from "./palette.js";
import { Rail } from "./rail.js";
import { Strip } from "./strip.js";

/** @param {{children?: any}} props */
export const Shell = ({ children }) => html`
    <div class="shell">
        <${Rail} />
        <div class="content"><${Bar} /><div class="view">${children}</div><${Strip} /></div>
    </div>
    <${Palette} /><${Help} /><${Questions} /><${Notices} />`;

/** What is shown without a token. @param {{reason?: string}} props */
export const SignedOut = ({ reason }) => html`
    <main class="signed-out"><img src="/icon.svg" alt="" width="40" height="40" />
        <h1>${reason === undefined ? "This page is not signed in" : "The studio cannot be reached"}</h1>
        <p>${reason ?? html`Press <kbd>Enter</kbd> in the terminal where <code>coredata studio</code> runs: it prints a
            link that is good once. Open it here.`}</p>
    </main>`;
