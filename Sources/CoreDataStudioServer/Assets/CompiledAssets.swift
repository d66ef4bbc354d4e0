// Written by Scripts/studio-assets from the files in Studio/Web.
// swift-format-ignore-file
#if Studio
enum CompiledAssets {
    static let files: [(path: String, text: StaticString)] = [
        ("api.js", ###"""
// The interface of the studio: requests with the token of this page, and what goes wrong with them.
export { onEvent } from "./events.js";

const tokenKey = "studio.token";

/** A request that was not carried out: `status` 0 means that the server did not answer. */
export class ApiError extends Error {
    /**
     * @param {number} status
     * @param {string} message the reason, for people
     * @param {Record<string, any>} details the other members of the answer: path, position, hint, a state
     */
    constructor(status, message, details = {}) {
        super(message);
        this.status = status;
        this.details = details;
    }
}

/** Trades the one-time code in the address for this origin's token. Returns whether there is a token. */
export async function signIn() {
    const code = new URLSearchParams(location.hash.slice(1)).get("code");
    if (code === null) return localStorage.getItem(tokenKey) !== null;
    history.replaceState(null, "", location.pathname);
    try {
        const { token } = await (await send("POST", "/session", { code })).json();
        localStorage.setItem(tokenKey, token);
    } catch (error) {
        if (!(error instanceof ApiError) || error.status === 0) throw error;
    }
    return localStorage.getItem(tokenKey) !== null;
}

/**
 * Sends a request. A path begins behind `/api`: "/models/m1".
 * @param {string} method
 * @param {string} path
 * @param {any} [body] what is sent as JSON
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
export async function send(method, path, body, signal) {
    /** @type {Record<string, string>} */
    const headers = {};
    const token = localStorage.getItem(tokenKey);
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
        response = await fetch("/api" + path, {
            method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
            cache: "no-store", credentials: "omit", redirect: "error",
        });
    } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") throw error;
        throw new ApiError(0, "The studio does not answer. Is it still running?");
    }
    if (response.ok) return response;
    const { error, ...details } = await response.json().catch(() => ({}));
    if (response.status === 401) document.dispatchEvent(new CustomEvent("studio-signed-out"));
    throw new ApiError(response.status, error ?? `The studio answers ${response.status}.`, details);
}

/** @param {Response} response */
async function json(response) {
    try {
        return await response.json();
    } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") throw error;
        throw new ApiError(0, "The answer of the studio broke off.");
    }
}

/** @param {string} path @param {{signal?: AbortSignal}} [options] @returns {Promise<any>} */
export const get = async (path, options = {}) => json(await send("GET", path, undefined, options.signal));

/** @param {string} path @param {any} [body] @param {{signal?: AbortSignal}} [options] @returns {Promise<any>} */
export const post = async (path, body = {}, options = {}) =>
    json(await send("POST", path, body, options.signal));

/** @param {string} path @returns {Promise<any>} */
export const remove = async path => json(await send("DELETE", path));

/**
 * Reads bytes, with their type: `URL.createObjectURL(await bytes(path))` is a picture's address.
 * @param {string} path @param {{signal?: AbortSignal}} [options] @returns {Promise<Blob>}
 */
export const bytes = async (path, options = {}) =>
    (await send("GET", path, undefined, options.signal)).blob();

/**
 * Has the browser save what a GET of the path answers, by an address that is good once.
 * @param {string} path
 */
export async function download(path) {
    const { url } = await post("/downloads", { path });
    const link = document.createElement("a");
    link.href = url;
    link.download = "";
    link.click();
}

/** Joins parts to a path, each escaped: pathOf("models", id, "commands"). @param {...(string|number)} parts */
export const pathOf = (...parts) => parts.map(part => "/" + encodeURIComponent(part)).join("");

"""###),
        ("controls.css", ###"""
/* Buttons, fields, tabs, badges: the controls that every page uses. */
button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }

button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--space-1);
    min-height: var(--row);
    padding: 0 var(--space-3);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--raised);
    white-space: nowrap;
    cursor: default;
}
button:hover:not(:disabled) { background: var(--hover); }
button:active:not(:disabled) { background: var(--pressed); }
button:disabled { color: var(--text-quiet); opacity: 0.55; }

button.main { border-color: transparent; background: var(--accent); color: var(--text-on-accent); }
button.main:hover:not(:disabled) { background: color-mix(in srgb, var(--accent), black 12%); }
button.danger { border-color: var(--danger); background: var(--danger-soft); color: var(--danger); }
button.plain { border-color: transparent; background: transparent; color: var(--accent-text); }
button.plain:hover:not(:disabled) { background: var(--hover); }

button.icon-button {
    width: var(--row);
    padding: 0;
    border-color: transparent;
    background: transparent;
    color: var(--text-quiet);
}
button.icon-button:hover:not(:disabled) { background: var(--hover); color: var(--text); }
button[aria-pressed="true"] { background: var(--pressed); color: var(--text); }

input:not([type="checkbox"], [type="radio"], [type="range"]), select, textarea {
    min-height: var(--row);
    padding: 0 var(--space-2);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--raised);
}
textarea { padding: var(--space-1) var(--space-2); resize: vertical; }
input:not([type="checkbox"], [type="radio"], [type="range"]):focus-visible, select:focus-visible, textarea:focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: -1px;
    border-color: transparent;
}
input::placeholder, textarea::placeholder { color: var(--text-quiet); opacity: 1; }
input[aria-invalid="true"], select[aria-invalid="true"], textarea[aria-invalid="true"] {
    border-color: var(--danger);
    background: var(--danger-soft);
}
.field-problem { color: var(--danger); font-size: var(--size-small); }
.field-warning { color: var(--warning); font-size: var(--size-small); }

/* A filter field: <label class="filter"><Icon name="filter"/><input type="search"></label> */
.filter { position: relative; display: flex; align-items: center; }
.filter > .icon { position: absolute; left: var(--space-2); color: var(--text-quiet); pointer-events: none; }
.filter > input { flex: 1; min-width: 0; padding-left: 1.75rem; }

/* Buttons side by side of which one is on. */
.segments {
    display: inline-flex;
    padding: 2px;
    border-radius: calc(var(--radius) + 1px);
    background: var(--pressed);
}
.segments > button {
    min-height: calc(var(--row) - 4px);
    border-color: transparent;
    background: transparent;
    color: var(--text-quiet);
}
.segments > button.icon-button { width: calc(var(--row) - 2px); }
.segments > button[aria-pressed="true"], .segments > button[aria-selected="true"] {
    background: var(--raised);
    color: var(--text);
    box-shadow: 0 1px 2px light-dark(#1c212730, #0008);
}

/* Tabs: <div class="tabs" role="tablist"><button role="tab" aria-selected="true">. */
.tabs { display: flex; gap: var(--space-1); border-bottom: 1px solid var(--line); padding: 0 var(--space-2); }
.tabs > button {
    min-height: 2rem;
    border: 0;
    border-bottom: 2px solid transparent;
    border-radius: 0;
    background: transparent;
    color: var(--text-quiet);
}
.tabs > button[aria-selected="true"] { border-bottom-color: var(--accent); color: var(--text); font-weight: 600; }

.badge {
    min-width: 1.25rem;
    padding: 0 0.35rem;
    border-radius: 1rem;
    background: var(--pressed);
    color: var(--text);
    font-size: var(--size-small);
    font-variant-numeric: tabular-nums;
    line-height: 1.2rem;
    text-align: center;
}
.main > .badge { background: #ffffff38; color: inherit; }
.error > .badge { background: var(--danger-soft); color: var(--danger); }
.warning > .badge { background: var(--warning-soft); color: var(--warning); }
.changed > .badge { background: var(--changed-soft); color: var(--changed); }

.chip {
    display: inline-flex;
    align-items: center;
    gap: var(--space-1);
    padding: 0 var(--space-2);
    border-radius: 1rem;
    background: var(--hover);
    color: var(--text-quiet);
    font-size: var(--size-small);
    line-height: 1.4rem;
    white-space: nowrap;
}
.chip > .icon { width: 0.8rem; height: 0.8rem; }

.dot { flex: none; width: 0.45rem; height: 0.45rem; border-radius: 50%; background: var(--changed); }

/* A word where there is nothing else to show. */
.empty { display: grid; place-content: center; gap: var(--space-2); height: 100%; color: var(--text-quiet); text-align: center; }

"""###),
        ("events.js", ###"""
// What happens in the studio, told to this page: one stream for all listeners, opened again when it breaks.
import { send, ApiError } from "./api.js";

/** @typedef {"model"|"file"|"store"|"statement"|"progress"|"reset"|"connection"} EventName */

/** @type {Map<string, Set<(data: any) => void>>} */
const listeners = new Map();
let last = 0;
/** @type {AbortController|undefined} */
let stream;
let isConnected = true;

/** How long a hidden page keeps its stream: browsers allow six connections over all pages of the studio. */
const hiddenMilliseconds = 30_000;
/** How long until a stream that broke is opened again, by the number of attempts. */
const pauses = [200, 500, 1000, 2000, 5000];

/**
 * Calls a listener with the data of each event of a name. "reset" says that events were missed and everything
 * has to be read again, "connection" whether the studio can be reached.
 * @param {EventName} name
 * @param {(data: any) => void} listener
 * @returns {() => void} ends it
 */
export function onEvent(name, listener) {
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all.add(listener));
    return () => all.delete(listener);
}

/** @param {string} name @param {any} data */
function tell(name, data) {
    for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
            listener(data);
        } catch (error) {
            console.error(error);
        }
    }
}

/** Follows the events from now on, while the page can be seen. */
export function startEvents() {
    let timer = 0;
    document.addEventListener("visibilitychange", () => {
        clearTimeout(timer);
        if (!document.hidden) return follow();
        timer = setTimeout(() => stream?.abort(), hiddenMilliseconds);
    });
    follow();
}

async function follow() {
    if (stream !== undefined && !stream.signal.aborted) return;
    const controller = stream = new AbortController();
    let attempts = 0;
    while (!controller.signal.aborted) {
        try {
            const response = await send("GET", `/events?after=${last}`, undefined, controller.signal);
            attempts = 0;
            connected(true);
            await read(/** @type {ReadableStream<Uint8Array>} */(response.body));
        } catch (error) {
            if (controller.signal.aborted) return;
            if (error instanceof ApiError && error.status === 401) return controller.abort();
        }
        connected(false);
        await new Promise(resume => setTimeout(resume, pauses[Math.min(attempts, pauses.length - 1)]));
        attempts += 1;
    }
}

/** @param {boolean} value */
function connected(value) {
    if (isConnected === value) return;
    isConnected = value;
    tell("connection", { isOpen: value });
}

/** @param {ReadableStream<Uint8Array>} body */
async function read(body) {
    const reader = body.getReader();
    const lines = new LineSplitter();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        for (const line of lines.take(value)) {
            const event = JSON.parse(line);
            if (event.number > 0 || event.name === "reset") last = event.number;
            tell(event.name, event.data);
        }
    }
}

/** The lines of a stream of bytes. */
export class LineSplitter {
    decoder = new TextDecoder();
    rest = "";

    /** Returns the lines that end in the next bytes. @param {Uint8Array} bytes */
    take(bytes) {
        const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
        this.rest = /** @type {string} */(lines.pop());
        return lines.filter(line => line !== "");
    }
}

"""###),
        ("graph/page.css", ###"""
/* The graph pages. */

"""###),
        ("icon.svg", ###"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5cc4"/><g fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"><rect x="5.5" y="6" width="9" height="8" rx="1.6"/><rect x="17.5" y="18" width="9" height="8" rx="1.6"/><path d="M14.5 10h4a3.5 3.5 0 0 1 3.5 3.5V18"/></g></svg>

"""###),
        ("index.html", ###"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Core Data Studio</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/controls.css">
<link rel="stylesheet" href="/shell/shell.css">
<link rel="stylesheet" href="/shell/overlays.css">
<link rel="stylesheet" href="/model/page.css">
<link rel="stylesheet" href="/graph/page.css">
<link rel="stylesheet" href="/store/page.css">
<script type="module" src="/main.js"></script>
</head>
<body>
<div id="studio"></div>
<noscript>Core Data Studio is a page of scripts: allow them for this address.</noscript>
</body>
</html>

"""###),
        ("lib/preact.js", ###"""
var N,f,en,D,tn,B,_n,F={},rn=[],yn=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i;function C(e,n){for(var t in n)e[t]=n[t];return e}function on(e){var n=e.parentNode;n&&n.removeChild(e)}function ln(e,n,t){var _,l,r,u={};for(r in n)r=="key"?_=n[r]:r=="ref"?l=n[r]:u[r]=n[r];if(arguments.length>2&&(u.children=arguments.length>3?N.call(arguments,2):t),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)u[r]===void 0&&(u[r]=e.defaultProps[r]);return U(e,u,_,l,null)}function U(e,n,t,_,l){var r={type:e,props:n,key:t,ref:_,__k:null,__:null,__b:0,__e:null,__d:void 0,__c:null,__h:null,constructor:void 0,__v:l??++en};return f.vnode!=null&&f.vnode(r),r}function W(e){return e.children}function A(e,n){this.props=e,this.context=n}function E(e,n){if(n==null)return e.__?E(e.__,e.__.__k.indexOf(e)+1):null;for(var t;n<e.__k.length;n++)if((t=e.__k[n])!=null&&t.__e!=null)return t.__e;return typeof e.type=="function"?E(e):null}function un(e){var n,t;if((e=e.__)!=null&&e.__c!=null){for(e.__e=e.__c.base=null,n=0;n<e.__k.length;n++)if((t=e.__k[n])!=null&&t.__e!=null){e.__e=e.__c.base=t.__e;break}return un(e)}}function R(e){(!e.__d&&(e.__d=!0)&&D.push(e)&&!L.__r++||B!==f.debounceRendering)&&((B=f.debounceRendering)||tn)(L)}function L(){for(var e;L.__r=D.length;)e=D.sort(function(n,t){return n.__v.__b-t.__v.__b}),D=[],e.some(function(n){var t,_,l,r,u,a;n.__d&&(u=(r=(t=n).__v).__e,(a=t.__P)&&(_=[],(l=C({},r)).__v=r.__v+1,V(a,r,l,t.__n,a.ownerSVGElement!==void 0,r.__h!=null?[u]:null,_,u??E(r),r.__h),an(_,r),r.__e!=u&&un(r)))})}function cn(e,n,t,_,l,r,u,a,s,h){var o,m,c,i,p,b,v,y=_&&_.__k||rn,k=y.length;for(t.__k=[],o=0;o<n.length;o++)if((i=t.__k[o]=(i=n[o])==null||typeof i=="boolean"?null:typeof i=="string"||typeof i=="number"||typeof i=="bigint"?U(null,i,null,null,i):Array.isArray(i)?U(W,{children:i},null,null,null):i.__b>0?U(i.type,i.props,i.key,null,i.__v):i)!=null){if(i.__=t,i.__b=t.__b+1,(c=y[o])===null||c&&i.key==c.key&&i.type===c.type)y[o]=void 0;else for(m=0;m<k;m++){if((c=y[m])&&i.key==c.key&&i.type===c.type){y[m]=void 0;break}c=null}V(e,i,c=c||F,l,r,u,a,s,h),p=i.__e,(m=i.ref)&&c.ref!=m&&(v||(v=[]),c.ref&&v.push(c.ref,null,i),v.push(m,i.__c||p,i)),p!=null?(b==null&&(b=p),typeof i.type=="function"&&i.__k!=null&&i.__k===c.__k?i.__d=s=sn(i,s,e):s=fn(e,i,c,y,p,s),h||t.type!=="option"?typeof t.type=="function"&&(t.__d=s):e.value=""):s&&c.__e==s&&s.parentNode!=e&&(s=E(c))}for(t.__e=b,o=k;o--;)y[o]!=null&&(typeof t.type=="function"&&y[o].__e!=null&&y[o].__e==t.__d&&(t.__d=E(_,o+1)),hn(y[o],y[o]));if(v)for(o=0;o<v.length;o++)pn(v[o],v[++o],v[++o])}function sn(e,n,t){var _,l;for(_=0;_<e.__k.length;_++)(l=e.__k[_])&&(l.__=e,n=typeof l.type=="function"?sn(l,n,t):fn(t,l,l,e.__k,l.__e,n));return n}function fn(e,n,t,_,l,r){var u,a,s;if(n.__d!==void 0)u=n.__d,n.__d=void 0;else if(t==null||l!=r||l.parentNode==null)n:if(r==null||r.parentNode!==e)e.appendChild(l),u=null;else{for(a=r,s=0;(a=a.nextSibling)&&s<_.length;s+=2)if(a==l)break n;e.insertBefore(l,r),u=r}return u!==void 0?u:l.nextSibling}function $(e,n,t){n[0]==="-"?e.setProperty(n,t):e[n]=t==null?"":typeof t!="number"||yn.test(n)?t:t+"px"}function T(e,n,t,_,l){var r;n:if(n==="style")if(typeof t=="string")e.style.cssText=t;else{if(typeof _=="string"&&(e.style.cssText=_=""),_)for(n in _)t&&n in t||$(e.style,n,"");if(t)for(n in t)_&&t[n]===_[n]||$(e.style,n,t[n])}else if(n[0]==="o"&&n[1]==="n")r=n!==(n=n.replace(/Capture$/,"")),n=n.toLowerCase()in e?n.toLowerCase().slice(2):n.slice(2),e.l||(e.l={}),e.l[n+r]=t,t?_||e.addEventListener(n,r?G:j,r):e.removeEventListener(n,r?G:j,r);else if(n!=="dangerouslySetInnerHTML"){if(l)n=n.replace(/xlink[H:h]/,"h").replace(/sName$/,"s");else if(n!=="href"&&n!=="list"&&n!=="form"&&n!=="tabIndex"&&n!=="download"&&n in e)try{e[n]=t??"";break n}catch{}typeof t=="function"||(t!=null&&(t!==!1||n[0]==="a"&&n[1]==="r")?e.setAttribute(n,t):e.removeAttribute(n))}}function j(e){this.l[e.type+!1](f.event?f.event(e):e)}function G(e){this.l[e.type+!0](f.event?f.event(e):e)}function V(e,n,t,_,l,r,u,a,s){var h,o,m,c,i,p,b,v,y,k,H,d=n.type;if(n.constructor!==void 0)return null;t.__h!=null&&(s=t.__h,a=n.__e=t.__e,n.__h=null,r=[a]),(h=f.__b)&&h(n);try{n:if(typeof d=="function"){if(v=n.props,y=(h=d.contextType)&&_[h.__c],k=h?y?y.props.value:h.__:_,t.__c?b=(o=n.__c=t.__c).__=o.__E:("prototype"in d&&d.prototype.render?n.__c=o=new d(v,k):(n.__c=o=new A(v,k),o.constructor=d,o.render=kn),y&&y.sub(o),o.props=v,o.state||(o.state={}),o.context=k,o.__n=_,m=o.__d=!0,o.__h=[]),o.__s==null&&(o.__s=o.state),d.getDerivedStateFromProps!=null&&(o.__s==o.state&&(o.__s=C({},o.__s)),C(o.__s,d.getDerivedStateFromProps(v,o.__s))),c=o.props,i=o.state,m)d.getDerivedStateFromProps==null&&o.componentWillMount!=null&&o.componentWillMount(),o.componentDidMount!=null&&o.__h.push(o.componentDidMount);else{if(d.getDerivedStateFromProps==null&&v!==c&&o.componentWillReceiveProps!=null&&o.componentWillReceiveProps(v,k),!o.__e&&o.shouldComponentUpdate!=null&&o.shouldComponentUpdate(v,o.__s,k)===!1||n.__v===t.__v){o.props=v,o.state=o.__s,n.__v!==t.__v&&(o.__d=!1),o.__v=n,n.__e=t.__e,n.__k=t.__k,n.__k.forEach(function(w){w&&(w.__=n)}),o.__h.length&&u.push(o);break n}o.componentWillUpdate!=null&&o.componentWillUpdate(v,o.__s,k),o.componentDidUpdate!=null&&o.__h.push(function(){o.componentDidUpdate(c,i,p)})}o.context=k,o.props=v,o.state=o.__s,(h=f.__r)&&h(n),o.__d=!1,o.__v=n,o.__P=e,h=o.render(o.props,o.state,o.context),o.state=o.__s,o.getChildContext!=null&&(_=C(C({},_),o.getChildContext())),m||o.getSnapshotBeforeUpdate==null||(p=o.getSnapshotBeforeUpdate(c,i)),H=h!=null&&h.type===W&&h.key==null?h.props.children:h,cn(e,Array.isArray(H)?H:[H],n,t,_,l,r,u,a,s),o.base=n.__e,n.__h=null,o.__h.length&&u.push(o),b&&(o.__E=o.__=null),o.__e=!1}else r==null&&n.__v===t.__v?(n.__k=t.__k,n.__e=t.__e):n.__e=gn(t.__e,n,t,_,l,r,u,s);(h=f.diffed)&&h(n)}catch(w){n.__v=null,(s||r!=null)&&(n.__e=a,n.__h=!!s,r[r.indexOf(a)]=null),f.__e(w,n,t)}}function an(e,n){f.__c&&f.__c(n,e),e.some(function(t){try{e=t.__h,t.__h=[],e.some(function(_){_.call(t)})}catch(_){f.__e(_,t.__v)}})}function gn(e,n,t,_,l,r,u,a){var s,h,o,m=t.props,c=n.props,i=n.type,p=0;if(i==="svg"&&(l=!0),r!=null){for(;p<r.length;p++)if((s=r[p])&&(s===e||(i?s.localName==i:s.nodeType==3))){e=s,r[p]=null;break}}if(e==null){if(i===null)return document.createTextNode(c);e=l?document.createElementNS("http://www.w3.org/2000/svg",i):document.createElement(i,c.is&&c),r=null,a=!1}if(i===null)m===c||a&&e.data===c||(e.data=c);else{if(r=r&&N.call(e.childNodes),h=(m=t.props||F).dangerouslySetInnerHTML,o=c.dangerouslySetInnerHTML,!a){if(r!=null)for(m={},p=0;p<e.attributes.length;p++)m[e.attributes[p].name]=e.attributes[p].value;(o||h)&&(o&&(h&&o.__html==h.__html||o.__html===e.innerHTML)||(e.innerHTML=o&&o.__html||""))}if((function(b,v,y,k,H){var d;for(d in y)d==="children"||d==="key"||d in v||T(b,d,null,y[d],k);for(d in v)H&&typeof v[d]!="function"||d==="children"||d==="key"||d==="value"||d==="checked"||y[d]===v[d]||T(b,d,v[d],y[d],k)})(e,c,m,l,a),o)n.__k=[];else if(p=n.props.children,cn(e,Array.isArray(p)?p:[p],n,t,_,l&&i!=="foreignObject",r,u,r?r[0]:t.__k&&E(t,0),a),r!=null)for(p=r.length;p--;)r[p]!=null&&on(r[p]);a||("value"in c&&(p=c.value)!==void 0&&(p!==e.value||i==="progress"&&!p)&&T(e,"value",p,m.value,!1),"checked"in c&&(p=c.checked)!==void 0&&p!==e.checked&&T(e,"checked",p,m.checked,!1))}return e}function pn(e,n,t){try{typeof e=="function"?e(n):e.current=n}catch(_){f.__e(_,t)}}function hn(e,n,t){var _,l;if(f.unmount&&f.unmount(e),(_=e.ref)&&(_.current&&_.current!==e.__e||pn(_,null,n)),(_=e.__c)!=null){if(_.componentWillUnmount)try{_.componentWillUnmount()}catch(r){f.__e(r,n)}_.base=_.__P=null}if(_=e.__k)for(l=0;l<_.length;l++)_[l]&&hn(_[l],n,typeof e.type!="function");t||e.__e==null||on(e.__e),e.__e=e.__d=void 0}function kn(e,n,t){return this.constructor(e,t)}function En(e,n,t){var _,l,r;f.__&&f.__(e,n),l=(_=typeof t=="function")?null:t&&t.__k||n.__k,r=[],V(n,e=(!_&&t||n).__k=ln(W,null,[e]),l||F,F,n.ownerSVGElement!==void 0,!_&&t?[t]:l?null:n.firstChild?N.call(n.childNodes):null,r,!_&&t?t:l?l.__e:n.firstChild,_),an(r,e)}function Sn(e,n){var t={__c:n="__cC"+_n++,__:e,Consumer:function(_,l){return _.children(l)},Provider:function(_){var l,r;return this.getChildContext||(l=[],(r={})[n]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(u){this.props.value!==u.value&&l.some(R)},this.sub=function(u){l.push(u);var a=u.componentWillUnmount;u.componentWillUnmount=function(){l.splice(l.indexOf(u),1),a&&a.call(u)}}),_.children}};return t.Provider.__=t.Consumer.contextType=t}N=rn.slice,f={__e:function(e,n){for(var t,_,l;n=n.__;)if((t=n.__c)&&!t.__)try{if((_=t.constructor)&&_.getDerivedStateFromError!=null&&(t.setState(_.getDerivedStateFromError(e)),l=t.__d),t.componentDidCatch!=null&&(t.componentDidCatch(e),l=t.__d),l)return t.__E=t}catch(r){e=r}throw e}},en=0,A.prototype.setState=function(e,n){var t;t=this.__s!=null&&this.__s!==this.state?this.__s:this.__s=C({},this.state),typeof e=="function"&&(e=e(C({},t),this.props)),e&&C(t,e),e!=null&&this.__v&&(n&&this.__h.push(n),R(this))},A.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),R(this))},A.prototype.render=W,D=[],tn=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,L.__r=0,_n=0;var x,g,z,S=0,I=[],J=f.__b,K=f.__r,Q=f.diffed,X=f.__c,Y=f.unmount;function P(e,n){f.__h&&f.__h(g,e,S||n),S=0;var t=g.__H||(g.__H={__:[],__h:[]});return e>=t.__.length&&t.__.push({}),t.__[e]}function bn(e){return S=1,Cn(vn,e)}function Cn(e,n,t){var _=P(x++,2);return _.t=e,_.__c||(_.__=[t?t(n):vn(void 0,n),function(l){var r=_.t(_.__[0],l);_.__[0]!==r&&(_.__=[r,_.__[1]],_.__c.setState({}))}],_.__c=g),_.__}function Pn(e,n){var t=P(x++,3);!f.__s&&q(t.__H,n)&&(t.__=e,t.__H=n,g.__H.__h.push(t))}function xn(e,n){var t=P(x++,4);!f.__s&&q(t.__H,n)&&(t.__=e,t.__H=n,g.__h.push(t))}function Dn(e){return S=5,dn(function(){return{current:e}},[])}function wn(e,n,t){S=6,xn(function(){typeof e=="function"?e(n()):e&&(e.current=n())},t==null?t:t.concat(e))}function dn(e,n){var t=P(x++,7);return q(t.__H,n)&&(t.__=e(),t.__H=n,t.__h=e),t.__}function Tn(e,n){return S=8,dn(function(){return e},n)}function Un(e){var n=g.context[e.__c],t=P(x++,9);return t.c=e,n?(t.__==null&&(t.__=!0,n.sub(g)),n.props.value):e.__}function An(e,n){f.useDebugValue&&f.useDebugValue(n?n(e):e)}function Mn(e){var n=P(x++,10),t=bn();return n.__=e,g.componentDidCatch||(g.componentDidCatch=function(_){n.__&&n.__(_),t[1](_)}),[t[0],function(){t[1](void 0)}]}function Hn(){I.forEach(function(e){if(e.__P)try{e.__H.__h.forEach(M),e.__H.__h.forEach(O),e.__H.__h=[]}catch(n){e.__H.__h=[],f.__e(n,e.__v)}}),I=[]}f.__b=function(e){g=null,J&&J(e)},f.__r=function(e){K&&K(e),x=0;var n=(g=e.__c).__H;n&&(n.__h.forEach(M),n.__h.forEach(O),n.__h=[])},f.diffed=function(e){Q&&Q(e);var n=e.__c;n&&n.__H&&n.__H.__h.length&&(I.push(n)!==1&&z===f.requestAnimationFrame||((z=f.requestAnimationFrame)||function(t){var _,l=function(){clearTimeout(r),Z&&cancelAnimationFrame(_),setTimeout(t)},r=setTimeout(l,100);Z&&(_=requestAnimationFrame(l))})(Hn)),g=void 0},f.__c=function(e,n){n.some(function(t){try{t.__h.forEach(M),t.__h=t.__h.filter(function(_){return!_.__||O(_)})}catch(_){n.some(function(l){l.__h&&(l.__h=[])}),n=[],f.__e(_,t.__v)}}),X&&X(e,n)},f.unmount=function(e){Y&&Y(e);var n=e.__c;if(n&&n.__H)try{n.__H.__.forEach(M)}catch(t){f.__e(t,n.__v)}};var Z=typeof requestAnimationFrame=="function";function M(e){var n=g;typeof e.__c=="function"&&e.__c(),g=n}function O(e){var n=g;e.__c=e.__(),g=n}function q(e,n){return!e||e.length!==n.length||n.some(function(t,_){return t!==e[_]})}function vn(e,n){return typeof n=="function"?n(e):n}var mn=function(e,n,t,_){var l;n[0]=0;for(var r=1;r<n.length;r++){var u=n[r++],a=n[r]?(n[0]|=u?1:2,t[n[r++]]):n[++r];u===3?_[0]=a:u===4?_[1]=Object.assign(_[1]||{},a):u===5?(_[1]=_[1]||{})[n[++r]]=a:u===6?_[1][n[++r]]+=a+"":u?(l=e.apply(a,mn(e,a,t,["",null])),_.push(l),a[0]?n[0]|=2:(n[r-2]=0,n[r]=l)):_.push(a)}return _},nn=new Map,Fn=function(e){var n=nn.get(this);return n||(n=new Map,nn.set(this,n)),(n=mn(this,n.get(e)||(n.set(e,n=(function(t){for(var _,l,r=1,u="",a="",s=[0],h=function(c){r===1&&(c||(u=u.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?s.push(0,c,u):r===3&&(c||u)?(s.push(3,c,u),r=2):r===2&&u==="..."&&c?s.push(4,c,0):r===2&&u&&!c?s.push(5,0,!0,u):r>=5&&((u||!c&&r===5)&&(s.push(r,0,u,l),r=6),c&&(s.push(r,c,0,l),r=6)),u=""},o=0;o<t.length;o++){o&&(r===1&&h(),h(o));for(var m=0;m<t[o].length;m++)_=t[o][m],r===1?_==="<"?(h(),s=[s],r=3):u+=_:r===4?u==="--"&&_===">"?(r=1,u=""):u=_+u[0]:a?_===a?a="":u+=_:_==='"'||_==="'"?a=_:_===">"?(h(),r=1):r&&(_==="="?(r=5,l=u,u=""):_==="/"&&(r<5||t[o][m+1]===">")?(h(),r===3&&(s=s[0]),r=s,(s=s[0]).push(2,0,r),r=0):_===" "||_==="	"||_===`
`||_==="\r"?(h(),r=2):u+=_),r===3&&u==="!--"&&(r=4,s=s[0])}return h(),s})(e)),n),arguments,[])).length>1?n:n[0]}.bind(ln);export{A as Component,Sn as createContext,ln as h,Fn as html,En as render,Tn as useCallback,Un as useContext,An as useDebugValue,Pn as useEffect,Mn as useErrorBoundary,wn as useImperativeHandle,xn as useLayoutEffect,dn as useMemo,Cn as useReducer,Dn as useRef,bn as useState};

"""###),
        ("main.js", ###"""
// Starts the page: signs in, follows the events, shows the shell and in it the page of the route.
import { html, render, useEffect, useState } from "./lib/preact.js";
import { ApiError, signIn } from "./api.js";
import { startEvents } from "./events.js";
import { useRoute } from "./router.js";
import { Shell, SignedOut } from "./shell/shell.js";
import { StartPage } from "./shell/start.js";
import { startTheme } from "./shell/theme.js";
import { startKeys } from "./shell/keys.js";
import { loadDocuments, useDocuments } from "./shell/documents.js";
import { notifyError } from "./shell/notices.js";

/** The module of each page, by the first part of the route. @type {Record<string, () => Promise<any>>} */
const pages = {
    models: () => import("./model/page.js"),
    stores: () => import("./store/page.js"),
};

function CurrentPage() {
    const route = useRoute();
    const { models, stores } = useDocuments();
    const [modules, setModules] = useState(/** @type {Record<string, any>} */({}));
    const load = pages[route.page];
    useEffect(() => {
        if (load === undefined || modules[route.page] !== undefined) return;
        load().then(module => setModules(all => ({ ...all, [route.page]: module })), notifyError);
    }, [route.page]);
    const documents = route.page === "models" ? models : stores;
    const document = documents.find(each => each.id === route.document);
    if (load === undefined || document === undefined) return html`<${StartPage} />`;
    const Page = modules[route.page]?.Page;
    if (Page === undefined) return html`<div class="page" aria-busy="true"></div>`;
    return html`<${Page} key=${route.page + route.document} route=${route} document=${document} />`;
}

async function start() {
    const root = /** @type {HTMLElement} */(document.getElementById("studio"));
    startTheme();
    startKeys();
    try {
        if (!await signIn()) return render(html`<${SignedOut} />`, root);
        await loadDocuments();
    } catch (error) {
        const isSignedOut = error instanceof ApiError && error.status === 401;
        return render(html`<${SignedOut} reason=${isSignedOut ? undefined : String(error.message)} />`, root);
    }
    startEvents();
    document.addEventListener("studio-signed-out", () => render(html`<${SignedOut} />`, root));
    render(html`<${Shell}><${CurrentPage} /><//>`, root);
}

start();

"""###),
        ("model/page.css", ###"""
/* The model pages. */

"""###),
        ("observable.js", ###"""
// A value that components follow.
import { useEffect, useReducer } from "./lib/preact.js";

/** @template T */
export class Observable {
    /** @param {T} value */
    constructor(value) {
        this.value = value;
        /** @type {Set<() => void>} */
        this.listeners = new Set();
    }

    /** @param {T} value */
    set(value) {
        if (Object.is(value, this.value)) return;
        this.value = value;
        for (const listener of [...this.listeners]) listener();
    }

    /** @param {() => void} listener @returns {() => void} ends it */
    follow(listener) {
        this.listeners.add(listener);
        return () => this.listeners.delete(listener);
    }
}

/** Returns the value, and renders again when it changes. @template T @param {Observable<T>} observable @returns {T} */
export function useObservable(observable) {
    const [, render] = useReducer(/** @param {number} count */ count => count + 1, 0);
    const seen = observable.value;
    useEffect(() => {
        const end = observable.follow(() => render(undefined));
        if (!Object.is(seen, observable.value)) render(undefined);
        return end;
    }, [observable]);
    return observable.value;
}

"""###),
        ("router.js", ###"""
// Which view is shown: every view has an address behind the `#`, so that links, reload and back work.
import { useEffect, useState } from "./lib/preact.js";

/**
 * @typedef {object} Route
 * @property {string} page "models", "stores", or "" for the start
 * @property {string} document the ID of the model or store
 * @property {string[]} rest the parts behind it, decoded
 * @property {Record<string, string>} query
 * @property {string} url the whole, as it stands in the address
 */

/** Reads an address. @param {string} hash @returns {Route} */
export function parseRoute(hash) {
    const url = hash.startsWith("#/") ? hash : "#/";
    const [path, query = ""] = url.slice(2).split("?");
    const [page = "", document = "", ...rest] = path.split("/").filter(part => part !== "").map(decoded);
    return { page, document, rest, query: Object.fromEntries(new URLSearchParams(query)), url };
}

/** @param {string} part */
function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/**
 * Writes an address: urlOf(["models", id, "entities", "Book"], { tab: "xml" }).
 * @param {(string|number)[]} parts
 * @param {Record<string, string|number|undefined>} [query]
 */
export function urlOf(parts, query = {}) {
    const fields = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const search = new URLSearchParams(fields.map(([key, value]) => [key, String(value)])).toString();
    return "#/" + parts.map(part => encodeURIComponent(part)).join("/") + (search && "?" + search);
}

/** @returns {Route} */
export const currentRoute = () => parseRoute(location.hash);

/**
 * Shows a view.
 * @param {string} url
 * @param {{replace?: boolean}} [options] replace: back does not lead to the present view
 */
export function navigate(url, { replace = false } = {}) {
    if (url === location.hash) return;
    if (!replace) {
        location.hash = url;
        return;
    }
    history.replaceState(null, "", url);
    dispatchEvent(new Event("hashchange"));
}

/** Returns the route, and renders again when it changes. @returns {Route} */
export function useRoute() {
    const [route, setRoute] = useState(currentRoute);
    useEffect(() => {
        const follow = () => setRoute(currentRoute());
        addEventListener("hashchange", follow);
        return () => removeEventListener("hashchange", follow);
    }, []);
    return route;
}

"""###),
        ("shell/bar.js", ###"""
// The top bar: where one is, commands of the view, search, undo, redo, save.
import { html, useEffect, useState } from "../lib/preact.js";
import { onEvent } from "../api.js";
import { useObservable } from "../observable.js";
import { frame } from "./frame.js";
import { Icon } from "./icons.js";
import { keyLabel } from "./keynames.js";
import { togglePalette } from "./overlays.js";

/** @param {{parts: {title: string, url?: string}[]}} props */
const Breadcrumb = ({ parts }) => html`
    <nav class="breadcrumb" aria-label="Place"><ol>${parts.map((part, index) => html`<li key=${index}>
        ${part.url === undefined ? html`<span aria-current="page">${part.title}</span>`
            : html`<a href=${part.url}>${part.title}</a>`}</li>`)}</ol></nav>`;

/** @param {{action: import("./frame.js").Action}} props */
const BarAction = ({ action }) => {
    const title = action.keys === undefined ? action.title : `${action.title} (${keyLabel(action.keys)})`;
    return html`<button type="button" class="icon-button" title=${title} aria-label=${action.title}
        aria-pressed=${action.isPressed} disabled=${action.isEnabled === false} onClick=${() => action.run()}>
        <${Icon} name=${action.icon ?? "chevron"} /></button>`;
};

/** @param {{status: import("./frame.js").Status}} props */
function Changes({ status }) {
    const { undo, redo, save, text } = status;
    const count = save?.count ?? 0;
    const steps = /** @type {const} */([["Undo", "undo", undo, "Ctrl+Z"], ["Redo", "redo", redo, "Ctrl+Shift+Z"]]);
    return html`
        ${text && html`<span class="chip"><${Icon} name="lock" />${text}</span>`}
        ${(undo !== undefined || redo !== undefined) && html`<div class="bar-group">${steps.map(([name, icon, step, keys]) => html`
            <button type="button" class="icon-button" disabled=${!step} aria-label=${step ? `${name}: ${step.title}` : name}
                title=${`${step ? `${name}: ${step.title}` : name} (${keyLabel(keys)})`} onClick=${() => step?.run()}>
                <${Icon} name=${icon} /></button>`)}</div>`}
        ${save !== undefined && html`<button type="button" class=${"save " + (count > 0 ? "main" : "")}
            disabled=${!save || count === 0 || save.isBusy} title=${`Save (${keyLabel("Ctrl+S")})`} onClick=${() => save?.run()}>
            <${Icon} name="save" />Save${count > 0 && html`<span class="badge" aria-label=${count === 1 ? "1 change" : `${count} changes`}>${count}</span>`}
        </button>`}`;
}

function Connection() {
    const [isOpen, setOpen] = useState(true);
    useEffect(() => onEvent("connection", data => setOpen(data.isOpen)), []);
    if (isOpen) return null;
    return html`<div class="connection" role="alert"><${Icon} name="warning" />
        <span>The studio does not answer. What you type is kept; the page reconnects by itself.</span></div>`;
}

export function Bar() {
    const { breadcrumb = [], actions = [], status = {} } = useObservable(frame);
    const shown = actions.filter(action => action.icon !== undefined);
    return html`
        <header class="bar">
            <${Breadcrumb} parts=${breadcrumb} />
            ${shown.length > 0 && html`<div class="bar-group" role="toolbar" aria-label="Commands">
                ${shown.map(action => html`<${BarAction} key=${action.title} action=${action} />`)}</div>`}
            <button type="button" class="search-everything" onClick=${togglePalette}>
                <${Icon} name="search" /><span>Go to or run anything</span><kbd>${keyLabel("Ctrl+K")}</kbd></button>
            <${Changes} status=${status} />
        </header>
        <${Connection} />`;
}

"""###),
        ("shell/dialogs.js", ###"""
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
    const element = useRef(/** @type {HTMLDialogElement|null} */(null));
    useLayoutEffect(() => {
        const before = document.activeElement;
        element.current?.showModal();
        return () => {
            element.current?.close();
            if (before instanceof HTMLElement && before.isConnected) before.focus();
        };
    }, []);
    const cancelled = (/** @type {Event} */ event) => {
        event.preventDefault();
        onClose();
    };
    const pressed = (/** @type {MouseEvent} */ event) => {
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
    const main = useRef(/** @type {HTMLButtonElement|null} */(null));
    useEffect(() => main.current?.focus(), [question]);
    if (question === undefined) return null;
    const answer = (/** @type {string|undefined} */ value) => {
        questions.set(questions.value.slice(1));
        question.answer(value);
    };
    return html`
        <${Dialog} key=${question} title=${question.title} className="question" onClose=${() => answer(undefined)}>
            ${question.text && html`<div class="dialog-text">${question.text}</div>`}
            <div class="dialog-buttons">
                <button type="button" onClick=${() => answer(undefined)}>Cancel</button>
                ${question.choices.map(choice => html`
                    <button type="button" class=${choice.kind ?? ""} ref=${choice.kind === "main" ? main : undefined}
                        onClick=${() => answer(choice.value)}>${choice.title}</button>`)}
            </div>
        <//>`;
}

"""###),
        ("shell/documents.js", ###"""
// What is open: models and stores, and what may be written.
import { get, onEvent } from "../api.js";
import { Observable, useObservable } from "../observable.js";

/**
 * @typedef {{id: string, name: string, path: string, changes?: number, problems?: number}} StudioDocument
 * @typedef {object} Documents
 * @property {boolean} isReadOnly
 * @property {boolean} mayEditStores
 * @property {StudioDocument[]} models
 * @property {StudioDocument[]} stores
 */

/** @type {Observable<Documents>} */
export const documents = new Observable(
    /** @type {Documents} */({ isReadOnly: false, mayEditStores: false, models: [], stores: [] }));

/** Reads the list, at the start and when something was opened or saved. */
export async function loadDocuments() {
    const { models = [], stores = [], ...rest } = await get("/documents");
    documents.set({ ...rest, models, stores });
}

for (const name of /** @type {const} */(["model", "file", "reset"])) {
    onEvent(name, () => void loadDocuments().catch(() => {}));
}

/** @returns {Documents} */
export const useDocuments = () => useObservable(documents);

"""###),
        ("shell/frame.js", ###"""
// What the view of a page puts into the frame around it: breadcrumb, commands, keys, undo, save, panels.
import { useLayoutEffect } from "../lib/preact.js";
import { Observable } from "../observable.js";

/**
 * @typedef {object} Action a command: in the palette (Ctrl+K), and in the bar if `icon` is given
 * @property {string} title
 * @property {() => void} run
 * @property {string} [keys] "Ctrl+Shift+N"; bound by `keys`, shown here
 * @property {string} [icon] a name of icons.js
 * @property {boolean} [isEnabled] true unless given
 * @property {boolean} [isPressed] for a switch in the bar
 *
 * @typedef {object} Key a key of the view
 * @property {string} keys "F8", "Ctrl+Shift+Z", "Alt+ArrowUp"; Ctrl is Cmd on macOS
 * @property {string} title what it does, for the list behind `?`
 * @property {((event: KeyboardEvent) => boolean|void)} [run] false: not taken, the browser goes on; without
 *   it the key is only listed, and a component handles it
 * @property {boolean} [inFields] whether it also works while one types in a field
 *
 * @typedef {object} Panel a panel of the bottom strip
 * @property {string} id
 * @property {string} title
 * @property {number|string} [badge]
 * @property {"error"|"warning"|"changed"|"quiet"} [tone]
 * @property {() => any} render what it shows when it is open
 *
 * @typedef {object} Status
 * @property {{title: string, run: () => void}|null} [undo] what Ctrl+Z takes back; null if nothing
 * @property {{title: string, run: () => void}|null} [redo]
 * @property {{count: number, run: () => void, isBusy?: boolean}|null} [save] count: of changes not saved
 * @property {string} [text] a word beside them: "read only"
 * @property {Panel[]} [panels]
 *
 * @typedef {object} Found something that Ctrl+K found
 * @property {string} title
 * @property {string} [detail]
 * @property {string} [icon]
 * @property {string} [url] where it leads, or:
 * @property {() => void} [run]
 *
 * @typedef {object} Frame
 * @property {{title: string, url?: string}[]} [breadcrumb]
 * @property {Action[]} [actions]
 * @property {Key[]} [keys]
 * @property {Status} [status]
 * @property {(text: string) => Found[]|Promise<Found[]>} [search] what of this document a text finds
 */

/** What the view that is shown now has put in. @type {Observable<Frame>} */
export const frame = new Observable(/** @type {Frame} */({}));

/** The panel that is open, by its ID. */
export const openPanel = new Observable("");

/** Puts a view's part into the frame; to be called at each rendering of the page. @param {Frame} value */
export function useFrame(value) {
    useLayoutEffect(() => {
        frame.set(value);
        const title = (value.breadcrumb ?? []).map(each => each.title).reverse();
        document.title = [...title, "Core Data Studio"].join(" – ");
    });
    useLayoutEffect(() => () => frame.set({}), []);
}

"""###),
        ("shell/help.js", ###"""
// The list of keys of the view that is shown.
import { html } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { Dialog } from "./dialogs.js";
import { frame } from "./frame.js";
import { keyLabel } from "./keynames.js";
import { shellKeys } from "./keys.js";
import { isHelpOpen, toggleHelp } from "./overlays.js";

/** @param {{title: string, keys: import("./frame.js").Key[]}} props */
const KeyList = ({ title, keys }) => html`
    <section><h3>${title}</h3><dl class="keys">${keys.map(each => html`
        <div><dt><kbd>${keyLabel(each.keys)}</kbd></dt><dd>${each.title}</dd></div>`)}</dl></section>`;

export function Help() {
    const { keys = [], actions = [] } = useObservable(frame);
    if (!useObservable(isHelpOpen)) return null;
    const listed = new Set(keys.map(each => each.keys));
    const more = actions.filter(each => each.keys !== undefined && !listed.has(each.keys))
        .map(each => ({ keys: /** @type {string} */(each.keys), title: each.title }));
    const own = [...keys, ...more];
    return html`
        <${Dialog} title="Keys" className="help" onClose=${toggleHelp}>
            <div class="key-lists">
                ${own.length > 0 && html`<${KeyList} title="This view" keys=${own} />`}
                <${KeyList} title="Everywhere" keys=${[...shellKeys(), { keys: "Alt+ArrowLeft", title: "Back" },
                    { keys: "Escape", title: "Close or leave" }]} />
            </div>
            <div class="dialog-buttons"><button type="button" onClick=${toggleHelp}>Close</button></div>
        <//>`;
}

"""###),
        ("shell/icons.js", ###"""
// The icons: outlines of 16 by 16 points in the colour of the text.
import { html } from "../lib/preact.js";

/** @type {Record<string, string>} */
const outlines = {
    model: "M2.5 3h5v4h-5zM8.5 9h5v4h-5zM7.5 5H11v4",
    store: "M2.5 4c0-1.1 2.5-2 5.5-2s5.5.9 5.5 2-2.5 2-5.5 2-5.5-.9-5.5-2zM2.5 4v8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2",
    entity: "M2.5 3h11v10h-11zM2.5 6h11M6.5 6v7",
    attribute: "M3 4.5h10M3 8h10M3 11.5h6",
    relationship: "M2 8h12M10.5 4.5 14 8l-3.5 3.5",
    version: "M8 2v12M4 5.5h8M4 10.5h8",
    configuration: "M2.5 4.5h7M12.5 4.5h1M2.5 11.5h1M6.5 11.5h7M11 3v3M5 10v3",
    fetch: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14",
    composite: "M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3",
    search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14",
    undo: "M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7",
    redo: "M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3",
    save: "M3 2.5h8L13.5 5v8.5h-11v-11zM5.5 2.5V6h5V2.5M5 13.5V9h6v4.5",
    help: "M6 6a2 2 0 1 1 2.8 1.8c-.5.3-.8.7-.8 1.4M8 11.5v.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
    info: "M8 7.2V11.5M8 4.5v.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
    error: "M8 4.5v4.3M8 11v.5M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z",
    warning: "M8 2 14.5 13.5h-13zM8 6.5v3.3M8 11.3v.5",
    close: "M4 4l8 8M12 4l-8 8",
    plus: "M8 3v10M3 8h10",
    minus: "M3 8h10",
    trash: "M3 4.5h10M6 4.5V2.8h4v1.7M4.2 4.5l.6 9h6.4l.6-9M6.7 7v4M9.3 7v4",
    chevron: "M6 3.5 10.5 8 6 12.5",
    down: "M3.5 6 8 10.5 12.5 6",
    table: "M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.7h11M6.5 3v10",
    graph: "M2 3h4.5v3.5H2zM9.5 9.5H14V13H9.5zM2 9.5h4.5V13H2zM6.5 4.8h5.2v4.7M6.5 11.3h3",
    light: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
    dark: "M13 9.8A5.5 5.5 0 0 1 6.2 3a5.5 5.5 0 1 0 6.8 6.8z",
    automatic: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
    lock: "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
    reload: "M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3",
    download: "M8 2.5v8M4.5 7 8 10.5 11.5 7M3 13.5h10",
    link: "M6.5 9.5l3-3M7 5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 9M5 7 3.5 8.5a2.8 2.8 0 0 0 4 4L9 11",
    history: "M2.5 8A5.5 5.5 0 1 0 4 4.2L2.5 5.5M2.5 2.5v3h3M8 5v3.3l2.2 1.4",
    check: "M3 8.5 6.5 12 13 4.5",
    filter: "M2.5 3h11L9.5 8.5v4l-3 1.5V8.5z",
    more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
    arrange: "M6 2.5h4v3H6zM2 10.5h4v3H2zM10 10.5h4v3h-4zM8 5.5v2.5M4 10.5V8h8v2.5",
    fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
};

/** @param {{name: string, title?: string}} props */
export const Icon = ({ name, title }) => html`
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden=${title === undefined ? "true" : undefined}
        role=${title === undefined ? undefined : "img"} aria-label=${title}>
        <path d=${outlines[name] ?? outlines.info} /></svg>`;

"""###),
        ("shell/keynames.js", ###"""
// Keys by name: "Ctrl+Shift+Z", where Ctrl is Cmd on macOS.

const isMac = /^Mac/.test(navigator.platform);

/** Tells whether a key event is what a text like "Ctrl+Shift+Z" names. @param {KeyboardEvent} event @param {string} keys */
export function matches(event, keys) {
    const parts = keys.split("+");
    const named = parts.pop() || "+";
    const has = (/** @type {string} */ name) => parts.includes(name);
    const control = isMac ? event.metaKey : event.ctrlKey;
    const other = isMac ? event.ctrlKey : event.metaKey;
    if (other || control !== has("Ctrl") || event.altKey !== has("Alt")) return false;
    if (named.length > 1 || /[a-z]/i.test(named)) {
        if (event.shiftKey !== has("Shift")) return false;
    }
    const key = event.key === " " ? "Space" : event.key;
    // With Alt, some layouts type another character; the place of the key tells which one was meant.
    return key.toLowerCase() === named.toLowerCase() || event.altKey && event.code === "Key" + named.toUpperCase();
}

/** Writes keys as the platform does, for menus and help. @param {string} keys */
export function keyLabel(keys) {
    const words = keys.replace("Arrow", "").replace("Delete", "Del").replace("Insert", "Ins");
    if (!isMac) return words;
    return words.replace("Ctrl+", "⌘").replace("Shift+", "⇧").replace("Alt+", "⌥");
}

/** Tells whether one types in the element. @param {EventTarget|null} target */
export function isField(target) {
    if (!(target instanceof HTMLElement)) return false;
    if (target instanceof HTMLInputElement) return !["checkbox", "radio", "button", "range"].includes(target.type);
    return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

"""###),
        ("shell/keys.js", ###"""
// The keys of the page: those of the view first, then those of the shell.
import { frame } from "./frame.js";
import { isField, matches } from "./keynames.js";
import { toggleHelp, togglePalette } from "./overlays.js";

/** The keys that every view has. @returns {import("./frame.js").Key[]} */
export function shellKeys() {
    const { undo, redo, save } = frame.value.status ?? {};
    const undone = () => void undo?.run();
    const redone = () => void redo?.run();
    return [
        { keys: "Ctrl+K", title: "Go to or run anything", run: togglePalette, inFields: true },
        { keys: "Ctrl+S", title: "Save", run: () => void save?.run(), inFields: true },
        { keys: "Ctrl+Z", title: "Undo", run: undone },
        { keys: "Ctrl+Shift+Z", title: "Redo", run: redone },
        { keys: "Ctrl+Y", title: "Redo", run: redone },
        { keys: "?", title: "Keys of this view", run: toggleHelp },
    ];
}

/** Handles keys that no component took. */
export function startKeys() {
    document.addEventListener("keydown", event => {
        if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
        const typing = isField(event.target);
        for (const key of [...(frame.value.keys ?? []), ...shellKeys()]) {
            if (key.run === undefined || typing && !key.inFields || !matches(event, key.keys)) continue;
            if (key.run(event) === false) continue;
            event.preventDefault();
            return;
        }
    });
}

"""###),
        ("shell/notices.js", ###"""
// What the page tells without being asked: politely to screen readers, and as a notice in the corner.
import { html } from "../lib/preact.js";
import { Observable, useObservable } from "../observable.js";
import { Icon } from "./icons.js";

/** @typedef {{id: number, title: string, detail?: string, tone?: "error"|"good"|"quiet", action?: {title: string, run: () => void}}} Notice */

const announcement = new Observable("");
/** @type {Observable<Notice[]>} */
const notices = new Observable(/** @type {Notice[]} */([]));
let count = 0;

/** How long a notice stays; errors stay until they are closed. */
const shownMilliseconds = 5000;

/** Has screen readers say a text. @param {string} text */
export function announce(text) {
    // A text that is said again has to differ.
    announcement.set(announcement.value === text ? text + "\u00a0" : text);
}

/** Shows a notice, and announces it. @param {Omit<Notice, "id">} notice @returns {() => void} closes it */
export function notify(notice) {
    const id = count += 1;
    const close = () => notices.set(notices.value.filter(each => each.id !== id));
    notices.set([...notices.value.filter(each => each.title !== notice.title), { ...notice, id }].slice(-4));
    announce([notice.title, notice.detail].filter(Boolean).join(". "));
    if (notice.tone !== "error") setTimeout(close, shownMilliseconds);
    return close;
}

/** Shows why something failed; a request that was cancelled is no failure. @param {any} error */
export function notifyError(error) {
    if (error?.name === "AbortError") return;
    console.error(error);
    notify({ title: error?.message ?? String(error), detail: error?.details?.hint, tone: "error" });
}

export function Notices() {
    const all = useObservable(notices);
    const close = (/** @type {Notice} */ notice) =>
        notices.set(notices.value.filter(each => each.id !== notice.id));
    return html`
        <div class="visually-hidden" role="status" aria-live="polite">${useObservable(announcement)}</div>
        <div class="notices">${all.map(notice => html`
            <div class=${"notice " + (notice.tone ?? "quiet")} key=${notice.id}>
                <${Icon} name=${notice.tone === "error" ? "error" : "info"} />
                <div class="notice-text"><b>${notice.title}</b>${notice.detail && html`<span>${notice.detail}</span>`}</div>
                ${notice.action && html`<button type="button" class="plain" onClick=${() => {
                    close(notice);
                    notice.action?.run();
                }}>${notice.action.title}</button>`}
                <button type="button" class="icon-button" aria-label="Close" onClick=${() => close(notice)}>
                    <${Icon} name="close" /></button>
            </div>`)}
        </div>`;
}

"""###),
        ("shell/overlays.css", ###"""
/* What lies above the page: dialogs, palette, help, notices. */
dialog {
    max-width: min(40rem, calc(100vw - 2rem));
    max-height: calc(100vh - 4rem);
    padding: 0;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-large);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--shadow);
}
dialog::backdrop { background: light-dark(#1c212733, #00000080); }
.dialog-body { display: grid; gap: var(--space-3); padding: var(--space-4); }
.dialog-text { max-width: 34rem; color: var(--text-quiet); white-space: pre-line; }
.dialog-buttons { display: flex; justify-content: flex-end; gap: var(--space-2); }

dialog.palette { width: min(36rem, calc(100vw - 2rem)); margin-top: 12vh; overflow: hidden; }
.palette .dialog-body { gap: 0; padding: 0; }
.palette-field { display: flex; align-items: center; gap: var(--space-2); padding: 0 var(--space-3); border-bottom: 1px solid var(--line); color: var(--text-quiet); }
.palette-field input[type="text"] { flex: 1; height: 2.75rem; padding: 0; border: 0; outline: 0; background: transparent; color: var(--text); font-size: var(--size-large); }
.palette ul { max-height: 50vh; overflow: auto; padding: var(--space-1); }
.palette li { display: flex; align-items: center; gap: var(--space-2); height: 2rem; padding: 0 var(--space-2); border-radius: var(--radius); }
.palette li[aria-selected="true"] { background: var(--selection); }
.palette li > .icon { color: var(--text-quiet); }
.palette-title { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.palette-none { padding: var(--space-2) var(--space-4) var(--space-4); }

.key-lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: var(--space-6); }
dialog.help { width: 40rem; }
.keys > div { display: flex; gap: var(--space-3); padding: 3px 0; }
.keys dt { flex: none; width: 7.5rem; }

.notices { position: fixed; z-index: 10; right: var(--space-4); bottom: calc(var(--row) + var(--space-3)); display: grid; gap: var(--space-2); width: min(26rem, calc(100vw - 2rem)); pointer-events: none; }
.notice {
    display: flex;
    align-items: flex-start;
    gap: var(--space-2);
    padding: var(--space-2) var(--space-3);
    border: 1px solid var(--line-strong);
    border-left-width: 3px;
    border-radius: var(--radius);
    background: var(--raised);
    box-shadow: var(--shadow);
    pointer-events: auto;
}
.notice > .icon { margin-top: 0.3rem; }
.notice.error { border-left-color: var(--danger); }
.notice.error > .icon { color: var(--danger); }
.notice.good { border-left-color: var(--good); }
.notice-text { flex: 1; display: grid; padding-top: 0.25rem; overflow-wrap: anywhere; }
.notice-text b { font-weight: 600; }

"""###),
        ("shell/overlays.js", ###"""
// What lies above the page when it is open: the palette and the list of keys.
import { Observable } from "../observable.js";

export const isPaletteOpen = new Observable(false);
export const isHelpOpen = new Observable(false);

export const togglePalette = () => isPaletteOpen.set(!isPaletteOpen.value);
export const toggleHelp = () => isHelpOpen.set(!isHelpOpen.value);

"""###),
        ("shell/palette.js", ###"""
// Ctrl+K: go to any document or element, run any command of the view.
import { html, useEffect, useRef, useState } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { navigate, urlOf } from "../router.js";
import { Dialog } from "./dialogs.js";
import { documents } from "./documents.js";
import { frame } from "./frame.js";
import { Icon } from "./icons.js";
import { keyLabel } from "./keynames.js";
import { isPaletteOpen, toggleHelp, togglePalette } from "./overlays.js";
import { setTheme } from "./theme.js";
import { rank } from "./ranking.js";

/** @typedef {import("./frame.js").Found & {keys?: string}} Item */

/** What the palette offers besides what the view finds. @returns {Item[]} */
function offered() {
    const { actions = [] } = frame.value;
    const { models, stores } = documents.value;
    return [
        ...actions.filter(each => each.isEnabled !== false).map(each => ({ icon: "chevron", ...each, detail: "command" })),
        ...models.map(each => ({ title: each.name, detail: "model", icon: "model", url: urlOf(["models", each.id]) })),
        ...stores.map(each => ({ title: each.name, detail: "store", icon: "store", url: urlOf(["stores", each.id]) })),
        { title: "Light colours", icon: "light", detail: "command", run: () => setTheme("light") },
        { title: "Dark colours", icon: "dark", detail: "command", run: () => setTheme("dark") },
        { title: "Colours of the system", icon: "automatic", detail: "command", run: () => setTheme("automatic") },
        { title: "Keys of this view", icon: "help", keys: "?", detail: "command", run: toggleHelp },
    ];
}

/** The most that is listed. */
const shownCount = 50;

/** Returns what fits a text, those of the view first where it was asked. @param {string} text @returns {Promise<Item[]>} */
async function found(text) {
    const own = text === "" ? [] : await Promise.resolve(frame.value.search?.(text) ?? []).catch(() => []);
    return [...own, ...rank(offered(), text)].slice(0, shownCount);
}

export function Palette() {
    return useObservable(isPaletteOpen) ? html`<${OpenPalette} />` : null;
}

function OpenPalette() {
    const [text, setText] = useState("");
    const [items, setItems] = useState(/** @type {Item[]} */([]));
    const [index, setIndex] = useState(0);
    const list = useRef(/** @type {HTMLElement|null} */(null));

    useEffect(() => {
        let isCurrent = true;
        found(text).then(all => {
            if (!isCurrent) return;
            setItems(all);
            setIndex(0);
        });
        return () => { isCurrent = false; };
    }, [text]);
    useEffect(() => list.current?.children[index]?.scrollIntoView({ block: "nearest" }), [index]);

    const choose = (/** @type {Item|undefined} */ item) => {
        if (item === undefined) return;
        togglePalette();
        // After the dialog has given back the focus.
        setTimeout(() => item.url === undefined ? item.run?.() : navigate(item.url));
    };
    const keyed = (/** @type {KeyboardEvent} */ event) => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
        if (step !== undefined) setIndex(Math.max(0, Math.min(items.length - 1, index + step)));
        else if (event.key === "Enter") choose(items[index]);
        else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) togglePalette();
        else return;
        event.preventDefault();
    };
    return html`
        <${Dialog} title="Go to or run anything" hasTitle=${false} className="palette" onClose=${togglePalette}>
            <div class="palette-field"><${Icon} name="search" />
                <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" autofocus
                    aria-activedescendant=${items.length > 0 ? `palette-${index}` : undefined} spellcheck=${false}
                    aria-label="Go to or run anything" placeholder="Entity, property, document or command"
                    value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} onKeyDown=${keyed} />
            </div>
            <ul role="listbox" id="palette-list" aria-label="Found" ref=${list}>${items.map((item, number) => html`
                <li role="option" id=${`palette-${number}`} aria-selected=${number === index}
                    onMouseMove=${() => setIndex(number)} onClick=${() => choose(item)}>
                    <${Icon} name=${item.icon ?? "chevron"} /><span class="palette-title">${item.title}</span>
                    ${item.detail && html`<span class="quiet">${item.detail}</span>`}
                    ${item.keys && html`<kbd>${keyLabel(item.keys)}</kbd>`}
                </li>`)}</ul>
            ${items.length === 0 && text !== "" && html`<p class="palette-none quiet">Nothing is named so.</p>`}
        <//>`;
}

"""###),
        ("shell/rail.js", ###"""
// The left rail: what is open, and how the page looks.
import { html } from "../lib/preact.js";
import { urlOf, useRoute } from "../router.js";
import { useObservable } from "../observable.js";
import { useDocuments } from "./documents.js";
import { Icon } from "./icons.js";
import { setTheme, theme } from "./theme.js";
import { toggleHelp } from "./overlays.js";

/** @typedef {import("./documents.js").StudioDocument} StudioDocument */

/** @param {{title: string, page: string, icon: string, all: StudioDocument[]}} props */
function DocumentList({ title, page, icon, all }) {
    const route = useRoute();
    if (all.length === 0) return null;
    return html`
        <h2>${title}</h2>
        <ul>${all.map(each => {
            const isCurrent = route.page === page && route.document === each.id;
            return html`<li key=${each.id}><a href=${urlOf([page, each.id])} title=${each.path}
                aria-current=${isCurrent ? "page" : undefined}>
                <${Icon} name=${icon} /><span class="rail-name">${each.name}</span>
                ${(each.changes ?? 0) > 0 && html`<span class="dot" title="not saved" aria-label="not saved"></span>`}
            </a></li>`;
        })}</ul>`;
}

const themes = /** @type {const} */([
    ["automatic", "Colours of the system"], ["light", "Light colours"], ["dark", "Dark colours"],
]);

export function Rail() {
    const { models, stores, isReadOnly } = useDocuments();
    const current = useObservable(theme);
    return html`
        <nav class="rail" aria-label="Documents">
            <a class="rail-home" href="#/"><img src="/icon.svg" alt="" width="20" height="20" /><b>Core Data Studio</b></a>
            <div class="rail-documents">
                <${DocumentList} title="Models" page="models" icon="model" all=${models} />
                <${DocumentList} title="Stores" page="stores" icon="store" all=${stores} />
            </div>
            ${isReadOnly && html`<p class="rail-note"><${Icon} name="lock" /> opened for reading only</p>`}
            <div class="rail-foot">
                <div class="segments" role="group" aria-label="Colours">${themes.map(([name, title]) => html`
                    <button type="button" class="icon-button" aria-pressed=${current === name} title=${title}
                        aria-label=${title} onClick=${() => setTheme(name)}><${Icon} name=${name} /></button>`)}
                </div>
                <button type="button" class="icon-button" title="Keys of this view (?)" aria-label="Keys of this view"
                    onClick=${toggleHelp}><${Icon} name="help" /></button>
            </div>
        </nav>`;
}

"""###),
        ("shell/ranking.js", ###"""
// Which names fit a text that one types, the best first.

/**
 * Scores a name: 0 if the letters of the text are not in it, in their order. Beginnings of words count more.
 * @param {string} name
 * @param {string} text
 */
export function score(name, text) {
    const lower = name.toLowerCase();
    const wanted = text.toLowerCase();
    if (lower === wanted) return 1000;
    if (lower.startsWith(wanted)) return 800 - name.length;
    const at = lower.indexOf(wanted);
    if (at >= 0) return (isWordStart(name, at) ? 600 : 400) - name.length;
    let position = 0;
    let starts = 0;
    for (const letter of wanted) {
        position = lower.indexOf(letter, position) + 1;
        if (position === 0) return 0;
        if (isWordStart(name, position - 1)) starts += 1;
    }
    return 100 + 20 * starts - Math.min(name.length, 99);
}

/** @param {string} name @param {number} at */
function isWordStart(name, at) {
    if (at === 0 || !/[a-z0-9]/i.test(name[at - 1])) return true;
    return /[A-Z]/.test(name[at]) && /[^A-Z]/.test(name[at - 1]);
}

/** Returns the items whose titles fit, the best first; all for an empty text. @template {{title: string}} T @param {T[]} items @param {string} text @returns {T[]} */
export function rank(items, text) {
    const trimmed = text.trim();
    if (trimmed === "") return items;
    return items.map(item => ({ item, score: score(item.title, trimmed) })).filter(each => each.score > 0)
        .sort((one, other) => other.score - one.score).map(each => each.item);
}

"""###),
        ("shell/shell.css", ###"""
/* The frame: rail, bar, strip, panel; and the start page. */
.shell { display: grid; grid-template-columns: var(--rail) minmax(0, 1fr); height: 100%; }
.content { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
.view { flex: 1; min-height: 0; overflow: hidden; }
.page { height: 100%; overflow: auto; background: var(--surface); }

/* Rail */
.rail {
    display: flex;
    flex-direction: column;
    min-height: 0;
    border-right: 1px solid var(--line);
    background: var(--frame);
}
.rail-home {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    height: 2.75rem;
    padding: 0 var(--space-3);
    color: inherit;
}
.rail-home:hover { text-decoration: none; }
.rail-documents { flex: 1; min-height: 0; overflow: auto; padding: 0 var(--space-2); }
.rail h2 {
    padding: var(--space-3) var(--space-2) var(--space-1);
    color: var(--text-quiet);
    font-size: var(--size-small);
    font-weight: 600;
}
.rail li > a {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    height: var(--row);
    padding: 0 var(--space-2);
    border-radius: var(--radius);
    color: inherit;
}
.rail li > a:hover { background: var(--hover); text-decoration: none; }
.rail li > a[aria-current] { background: var(--selection); font-weight: 600; }
.rail li > a > .icon { color: var(--text-quiet); }
.rail li > a[aria-current] > .icon { color: var(--accent-text); }
.rail-name { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.rail-note { display: flex; gap: var(--space-2); padding: var(--space-2) var(--space-4); color: var(--text-quiet); font-size: var(--size-small); }
.rail-foot { display: flex; justify-content: space-between; align-items: center; padding: var(--space-2) var(--space-3); }

/* Bar */
.bar {
    flex: none;
    display: flex;
    align-items: center;
    gap: var(--space-2);
    height: 2.75rem;
    padding: 0 var(--space-3);
    border-bottom: 1px solid var(--line);
    background: var(--surface);
}
.breadcrumb { flex: 1; min-width: 4rem; overflow: hidden; }
.breadcrumb ol { display: flex; align-items: center; white-space: nowrap; }
.breadcrumb li { min-width: 1rem; overflow: hidden; text-overflow: ellipsis; }
.breadcrumb li + li::before { content: "›"; padding: 0 var(--space-2); color: var(--text-quiet); }
.breadcrumb a { color: var(--text-quiet); }
.breadcrumb [aria-current] { font-weight: 600; }
.bar-group { display: flex; gap: 1px; padding-right: var(--space-2); border-right: 1px solid var(--line); }
.search-everything { min-width: 0; padding: 0 var(--space-2); background: var(--sunken); color: var(--text-quiet); }
.search-everything span { overflow: hidden; padding-right: var(--space-4); text-overflow: ellipsis; }
.search-everything kbd { border-color: var(--line); }
.connection {
    display: flex;
    gap: var(--space-2);
    padding: var(--space-2) var(--space-3);
    background: var(--warning-soft);
    color: var(--warning);
}

/* Strip and panel */
.strip {
    flex: none;
    display: flex;
    gap: 1px;
    height: var(--row);
    padding: 0 var(--space-2);
    border-top: 1px solid var(--line);
    background: var(--frame);
}
.strip-button {
    min-height: 0;
    padding: 0 var(--space-2);
    border: 0;
    border-radius: 0;
    background: transparent;
    color: var(--text-quiet);
    font-size: var(--size-small);
}
.strip-button > .icon { width: 0.875rem; height: 0.875rem; }
.strip-button.error > .icon { color: var(--danger); }
.strip-button.warning > .icon { color: var(--warning); }
.strip-button[aria-expanded="true"] { background: var(--surface); color: var(--text); box-shadow: inset 0 2px var(--accent); }
.strip-button > .badge { line-height: 1rem; }
.panel { position: relative; flex: none; border-top: 1px solid var(--line); background: var(--surface); }
.panel-edge { position: absolute; z-index: 1; inset: -3px 0 auto; height: 6px; cursor: ns-resize; touch-action: none; }
.panel-content { height: 100%; overflow: auto; }

/* Start */
.start-column { max-width: 44rem; margin: 0 auto; padding: 4rem var(--space-6); display: grid; gap: var(--space-4); }
.start-missing { color: var(--warning); }
.start pre { padding: var(--space-3); border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: var(--space-3); }
.card {
    display: flex;
    gap: var(--space-3);
    padding: var(--space-3);
    border: 1px solid var(--line);
    border-radius: var(--radius-large);
    color: inherit;
}
.card:hover { border-color: var(--line-strong); background: var(--sunken); text-decoration: none; }
.card > .icon { width: 1.25rem; height: 1.25rem; color: var(--accent-text); }
.card > span { display: grid; grid-template-columns: minmax(0, auto) 1fr; column-gap: var(--space-2); min-width: 0; }
.card-path {
    grid-column: 1 / -1;
    overflow: hidden;
    color: var(--text-quiet);
    font-size: var(--size-small);
    text-overflow: ellipsis;
    white-space: nowrap;
    /* The end of a path says most: cut at its beginning. */
    direction: rtl;
    text-align: left;
}
.signed-out { display: grid; place-content: center; justify-items: center; gap: var(--space-3); height: 100%; padding: var(--space-6); text-align: center; background: var(--frame); }
.signed-out p { max-width: 30rem; color: var(--text-quiet); }

@media (max-width: 50rem) {
    .shell { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr); }
    .rail { flex-direction: row; align-items: center; border-right: 0; border-bottom: 1px solid var(--line); }
    .rail-documents { display: flex; align-items: center; overflow: auto; }
    .rail-documents ul { display: flex; }
    .rail h2, .rail-home b, .search-everything span, .search-everything kbd { display: none; }
}

"""###),
        ("shell/shell.js", ###"""
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

"""###),
        ("shell/start.js", ###"""
// What is shown without a document: those that are open.
import { html } from "../lib/preact.js";
import { urlOf, useRoute } from "../router.js";
import { useDocuments } from "./documents.js";
import { useFrame } from "./frame.js";
import { Icon } from "./icons.js";

/** @param {{page: string, icon: string, kind: string, document: import("./documents.js").StudioDocument}} props */
const Card = ({ page, icon, kind, document }) => html`
    <li><a class="card" href=${urlOf([page, document.id])}>
        <${Icon} name=${icon} /><span><b>${document.name}</b><span class="quiet">${kind}</span>
        <span class="card-path"><bdi dir="ltr">${document.path}</bdi></span></span></a></li>`;

export function StartPage() {
    const { models, stores, mayEditStores, isReadOnly } = useDocuments();
    const route = useRoute();
    useFrame({ breadcrumb: [{ title: "Start" }] });
    const storeKind = mayEditStores && !isReadOnly ? "store" : "store, for reading";
    return html`
        <main class="page start"><div class="start-column">
            <h1>Core Data Studio</h1>
            ${route.page !== "" && html`<p class="start-missing">Nothing is open at ${route.url}.</p>`}
            ${models.length + stores.length === 0
                ? html`<p>No file is open. Name models and stores when you start the studio:</p>
                    <pre>coredata studio Library.xcdatamodeld Library.sqlite</pre>`
                : html`<ul class="cards">
                    ${models.map(each => html`<${Card} key=${each.id} page="models" icon="model" document=${each}
                        kind=${isReadOnly ? "model, for reading" : "model"} />`)}
                    ${stores.map(each => html`<${Card} key=${each.id} page="stores" icon="store" document=${each}
                        kind=${storeKind} />`)}</ul>`}
            <p class="quiet">Press <kbd>?</kbd> for the keys of a view.</p>
        </div></main>`;
}

"""###),
        ("shell/strip.js", ###"""
// The bottom strip: problems, changes, statements, tasks, and the panel of the one that is open.
import { html, useRef, useState } from "../lib/preact.js";
import { useObservable } from "../observable.js";
import { frame, openPanel } from "./frame.js";
import { Icon } from "./icons.js";

const smallest = 80;
const heightKey = "studio.panel-height";

/** @param {number} height */
const bounded = height => Math.max(smallest, Math.min(innerHeight * 0.75, height));

export function Strip() {
    const { panels = [] } = useObservable(frame).status ?? {};
    const open = useObservable(openPanel);
    const [height, setHeight] = useState(() => Number(localStorage.getItem(heightKey)) || 220);
    const drag = useRef(/** @type {{y: number, height: number}|null} */(null));
    if (panels.length === 0) return null;
    const panel = panels.find(each => each.id === open);

    const resize = (/** @type {number} */ value) => {
        setHeight(bounded(value));
        localStorage.setItem(heightKey, String(bounded(value)));
    };
    const begin = (/** @type {PointerEvent} */ event) => {
        /** @type {HTMLElement} */(event.currentTarget).setPointerCapture(event.pointerId);
        drag.current = { y: event.clientY, height };
    };
    const move = (/** @type {PointerEvent} */ event) => {
        if (drag.current !== null) resize(drag.current.height + drag.current.y - event.clientY);
    };
    const keyed = (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        resize(height + (event.key === "ArrowUp" ? 24 : -24));
    };
    return html`
        ${panel && html`
            <section class="panel" aria-label=${panel.title} style=${{ height: `${height}px` }}>
                <div class="panel-edge" role="separator" aria-orientation="horizontal" tabindex="0"
                    aria-label="Height of the panel" aria-valuenow=${Math.round(height)} onPointerDown=${begin}
                    onPointerMove=${move} onPointerUp=${() => { drag.current = null; }} onKeyDown=${keyed}></div>
                <div class="panel-content" key=${panel.id}>${panel.render()}</div>
            </section>`}
        <footer class="strip" role="toolbar" aria-label="Panels">
            ${panels.map(each => html`
                <button type="button" key=${each.id} class=${"strip-button " + (each.tone ?? "quiet")}
                    aria-expanded=${each.id === open} onClick=${() => openPanel.set(each.id === open ? "" : each.id)}>
                    ${each.tone === "error" && html`<${Icon} name="error" />`}
                    ${each.tone === "warning" && html`<${Icon} name="warning" />`}
                    ${each.title}${each.badge !== undefined && html`<span class="badge">${each.badge}</span>`}
                </button>`)}
        </footer>`;
}

"""###),
        ("shell/theme.js", ###"""
// Light, dark, or as the system has it: a switch of three, remembered for this address.
import { Observable } from "../observable.js";

/** @typedef {"automatic"|"light"|"dark"} Theme */

const key = "studio.theme";

/** @type {Observable<Theme>} */
export const theme = new Observable(/** @type {Theme} */("automatic"));

/** @param {Theme} value */
export function setTheme(value) {
    theme.set(value);
    localStorage.setItem(key, value);
    apply();
}

export function startTheme() {
    const kept = localStorage.getItem(key);
    if (kept === "light" || kept === "dark") theme.set(kept);
    apply();
}

/** Every colour of the page follows the scheme of its root. */
function apply() {
    document.documentElement.style.colorScheme = theme.value === "automatic" ? "" : theme.value;
}

"""###),
        ("store/page.css", ###"""
/* The store pages. */

"""###),
        ("style.css", ###"""
/* The look of the studio: colours, spacing and fonts as custom properties, light and dark, and plain elements. */
:root {
    color-scheme: light dark;

    /* Surfaces: the frame lies lower than the page, what floats lies higher. */
    --frame: light-dark(#f3f4f6, #15171b);
    --surface: light-dark(#ffffff, #1b1e23);
    --raised: light-dark(#ffffff, #24282f);
    --sunken: light-dark(#f7f8f9, #171a1e);
    --hover: light-dark(#eceff2, #272b32);
    --pressed: light-dark(#e1e5ea, #30353e);
    --line: light-dark(#e2e5e9, #2b3037);
    --line-strong: light-dark(#c7ccd3, #434a55);

    /* Text: 4.5:1 or more on each surface above. */
    --text: light-dark(#1c2127, #e4e7eb);
    --text-quiet: light-dark(#59626d, #a0a8b3);
    --text-on-accent: #ffffff;

    --accent: light-dark(#2f5cc4, #3d6ad6);
    --accent-text: light-dark(#2a54b6, #8fb0ff);
    --accent-soft: light-dark(#e4ecfd, #24355c);
    --selection: light-dark(#dbe6fd, #2a3d68);
    --focus: light-dark(#2f6bff, #7ba4ff);

    /* Meanings, each as text and as a ground under dark text or light text. */
    --danger: light-dark(#b3261e, #ff8a80);
    --danger-soft: light-dark(#fdebe9, #46211f);
    --warning: light-dark(#8a5300, #f0b656);
    --warning-soft: light-dark(#fdf3dc, #42341a);
    --good: light-dark(#1a6b3c, #74cf97);
    --good-soft: light-dark(#e3f5ea, #1c3a29);
    --changed: light-dark(#6a3fb5, #c3a6ff);
    --changed-soft: light-dark(#f1eafc, #362a52);

    /* Kinds of elements, for icons and the graph. */
    --kind-entity: light-dark(#2f5cc4, #8fb0ff);
    --kind-attribute: light-dark(#59626d, #a0a8b3);
    --kind-relationship: light-dark(#0b7285, #66d0e0);
    --kind-fetch: light-dark(#8a5300, #f0b656);
    --kind-composite: light-dark(#6a3fb5, #c3a6ff);

    --shadow: 0 1px 2px light-dark(#1c212714, #0006), 0 6px 24px light-dark(#1c21271f, #0009);

    --space-1: 0.25rem;
    --space-2: 0.5rem;
    --space-3: 0.75rem;
    --space-4: 1rem;
    --space-6: 1.5rem;
    --radius: 5px;
    --radius-large: 9px;
    --row: 1.75rem;
    --rail: 13rem;

    --font: system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
    --font-code: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace;
    --size-small: 0.75rem;
    --size: 0.8125rem;
    --size-large: 1rem;
}

*, *::before, *::after { box-sizing: border-box; }

html, body, #studio { height: 100%; margin: 0; }

body {
    background: var(--surface);
    color: var(--text);
    font: var(--size)/1.45 var(--font);
    overflow: hidden;
    accent-color: var(--accent);
    scrollbar-width: thin;
    scrollbar-color: var(--line-strong) transparent;
}

h1, h2, h3, h4, p, ul, ol, dl, dd, pre, figure { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1 { font-size: 1.375rem; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: var(--size-large); font-weight: 600; }
h3, h4 { font-size: var(--size); font-weight: 600; }
a { color: var(--accent-text); text-decoration: none; }
a:hover { text-decoration: underline; }
code, kbd, pre, samp { font-family: var(--font-code); font-size: 0.92em; }

kbd {
    display: inline-block;
    padding: 0 0.35em;
    border: 1px solid var(--line-strong);
    border-radius: 4px;
    background: var(--sunken);
    color: var(--text-quiet);
    font-size: var(--size-small);
    line-height: 1.5;
    white-space: nowrap;
}

:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
::selection { background: var(--selection); color: var(--text); }
[hidden] { display: none !important; }

.quiet { color: var(--text-quiet); }
.code { font-family: var(--font-code); }
.icon {
    flex: none;
    width: 1rem;
    height: 1rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.4;
    stroke-linecap: round;
    stroke-linejoin: round;
}

.visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
}

@media (prefers-reduced-motion: reduce) {
    *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}

"""###),
    ]
}
#endif
