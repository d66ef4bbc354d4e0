// Dialogs: modal, closed by Esc, with the focus back where it was.
import { html, useEffect, useLayoutEffect, useRef } from "../lib/preact.js";
import { Observable, useObservable } from "../observable.js";

/**
 * @typedef {{title: string, value: string, kind?: "main"|"danger"}} Choice
 * @typedef {{title: string, text?: any, choices: Choice[], answer: (value: string|undefined) => void}} Question
 */

/** @type {Observable<Question[]>} */
const questions = new Observable(/** @type {Question[]} */([]));

/**
 * A modal dialog that is shown as long as it is rendered.
 * @param {{title: string, className?: string, hasTitle?: boolean, onClose: () => void, children?: any}} props
 */
export function Dialog({ title, className = "", hasTitle = true, onClose, children }) {
    const element = useRef(null);
    useLayoutEffect(() => {
        const before = document.activeElement;
        element.current?.showModal();
        return () => {
            element.current?.close();
            if (before instanceof HTMLElement && before.isConnected) before.focus();
        };
    }, []);
    const cancelled = event => {
        event.preventDefault();
        onClose();
    };
    const pressed = event => {
        if (event.target === element.current) onClose();
    };
    return html`
        <dialog ref=${element} class=${className} aria-label=${title} onCancel=${cancelled} onMouseDown=${pressed}>
            <div class="dialog-body">${hasTitle && html`<h2>${title}</h2>`}${children}</div>
        </dialog>`;
}

/**
 * Asks, and returns the value of the choice; undefined if the dialog was closed.
 * @param {{title: string, text?: any, choices: Choice[]}} question
 * @returns {Promise<string|undefined>}
 */
export function ask(question) {
    return new Promise(answer => questions.set([...questions.value, { ...question, answer }]));
}

/** What is asked now. */
export function Questions() {
    const question = useObservable(questions)[0];
    const main = useRef(null);
    useEffect(() => main.current?.focus(), [question]);
    if (question === undefined) return null;
    const answer = value => {
        questions.set(questions.value.slice(1));
        question.answer(value);
    };
    return html`
        <${Dialog} key=${question} title=${question.title} className="question" onClose=${() => answer(undefined)}>
            ${question.text && html`<div class="dialog-text">${question.text}</div>`}
            <div class="dialog-buttons">
                <button onClick=${() => answer(undefined)}>Cancel</button>
                ${question.choices.map(choice => html`
                    <button class=${choice.kind ?? ""} ref=${choice.kind === "main" ? main : undefined}
                        onClick=${() => answer(choice.value)}>${choice.title}</button>`)}
            </div>
        <//>`;
}
