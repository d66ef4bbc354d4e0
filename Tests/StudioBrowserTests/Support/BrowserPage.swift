#if Studio
import CoreDataJSON
import Foundation
import Testing

/// The page in a browser: what a user sees of it and does to it. Elements are named by CSS selectors.
struct BrowserPage: Sendable {
    let driver: WebDriver

    // MARK: Looking

    func open(_ url: String) async throws {
        try await driver.call("POST", "url", .object([.init("url", .string(url))]))
    }

    /// Evaluates a script: the body of a function, whose arguments are `arguments`.
    @discardableResult
    func evaluate(_ script: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await driver.call(
            "POST", "execute/sync",
            .object([.init("script", .string(script)), .init("args", .array(arguments))]))
    }

    /// Evaluates a script that calls its last argument with its value.
    func evaluateLater(_ script: String, _ arguments: JSONValue...) async throws -> JSONValue {
        try await driver.call(
            "POST", "execute/async",
            .object([.init("script", .string(script)), .init("args", .array(arguments))]))
    }

    /// Waits until a script returns true, which it is asked again and again. Throws if it does not in a minute:
    /// only a story that fails waits so long, on the busiest machine.
    func wait(_ what: String, until script: String, _ arguments: JSONValue...) async throws {
        let (message, source) = (
            "it never was so: \(what)",
            """
            const [script, args, done] = arguments;
            const condition = new Function(script);
            const end = performance.now() + 60000;
            (function look() {
                let value = false;
                try { value = condition.apply(null, args); } catch (error) { value = false; }
                if (value) return done(true);
                if (performance.now() > end) return done(false);
                setTimeout(look, 16);
            })();
            """
        )
        let isSo = try await evaluateLater(source, .string(script), .array(arguments))
        if isSo != .boolean(true) { throw WebDriver.Failure(description: message) }
    }

    /// Waits for an element that contains a text.
    func see(_ text: String, in selector: String = "body") async throws {
        try await wait(
            "\(text) in \(selector)",
            until: """
                return [...document.querySelectorAll(arguments[0])].some(each => each.checkVisibility()
                    && ((each.innerText ?? each.textContent) + (each.value ?? "")).includes(arguments[1]));
                """,
            .string(selector), .string(text))
    }

    /// Waits until nothing that can be seen is named by a selector.
    func seeNo(_ selector: String) async throws {
        try await wait(
            "no \(selector)",
            until:
                "return ![...document.querySelectorAll(arguments[0])].some(each => each.checkVisibility());",
            .string(selector))
    }

    /// Returns how many elements a selector names.
    func count(_ selector: String) async throws -> Int {
        guard
            case .integer(let count) = try await evaluate(
                "return document.querySelectorAll(arguments[0]).length;", .string(selector))
        else { return 0 }
        return Int(count)
    }

    /// Returns the reference of the first element that can be seen, once there is one.
    private func element(_ selector: String) async throws -> String {
        try await wait(
            selector,
            until:
                "return [...document.querySelectorAll(arguments[0])].some(each => each.checkVisibility());",
            .string(selector))
        let value = try await evaluate(
            """
            return [...document.querySelectorAll(arguments[0])].find(each => each.checkVisibility());
            """, .string(selector))
        guard case .object(let members) = value, let reference = members.first?.value.string else {
            throw WebDriver.Failure(description: "there is no \(selector)")
        }
        return reference
    }

    /// Returns whether an element can be scrolled to and has room.
    func isReachable(_ selector: String) async throws -> Bool {
        try await evaluate(
            """
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView();
            const box = element.getBoundingClientRect();
            return box.width > 40 && box.left >= -1 && box.left < innerWidth && box.top < innerHeight;
            """, .string(selector)) == .boolean(true)
    }

    /// What assistive technology is told of an element.
    func role(_ selector: String) async throws -> (role: String, label: String) {
        let reference = try await element(selector)
        let role = try await driver.call("GET", "element/\(reference)/computedrole").string ?? ""
        return (role, try await driver.call("GET", "element/\(reference)/computedlabel").string ?? "")
    }

    // MARK: Doing

    func click(_ selector: String) async throws {
        try await driver.call("POST", "element/\(try await element(selector))/click")
    }

    /// Types into what has the focus. Keys have names: `{Enter}`, `{Ctrl+k}`.
    func type(_ text: String) async throws {
        var actions: [JSONValue] = []
        func press(_ key: String) {
            for kind in ["keyDown", "keyUp"] { actions.append(Self.keyAction(kind, key)) }
        }
        var rest = Substring(text)
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                var names = rest[rest.index(after: rest.startIndex)..<end].split(separator: "+").map(
                    String.init)
                let last = names.removeLast()
                for name in names { actions.append(Self.keyAction("keyDown", Self.keys[name] ?? name)) }
                press(Self.keys[last] ?? last)
                for name in names { actions.append(Self.keyAction("keyUp", Self.keys[name] ?? name)) }
                rest = rest[rest.index(after: end)...]
            } else {
                press(String(rest.removeFirst()))
            }
        }
        try await perform([("key", "keyboard", actions)])
    }

    private static func keyAction(_ kind: String, _ key: String) -> JSONValue {
        .object([.init("type", .string(kind)), .init("value", .string(key))])
    }

    private static let keys = [
        "Enter": "\u{E007}", "Escape": "\u{E00C}", "Tab": "\u{E004}", "Shift": "\u{E008}", "Ctrl": "\u{E009}",
        "Alt": "\u{E00A}", "Backspace": "\u{E003}", "Delete": "\u{E017}", "ArrowLeft": "\u{E012}",
        "ArrowUp": "\u{E013}", "ArrowRight": "\u{E014}", "ArrowDown": "\u{E015}", "Home": "\u{E011}",
        "End": "\u{E010}", "PageUp": "\u{E00E}", "PageDown": "\u{E00F}", "F2": "\u{E032}", "F5": "\u{E035}",
        "F8": "\u{E038}", "Space": " ",
    ]

    /// A point of the page: in the middle of an element, or beside it.
    struct Point: Sendable {
        let selector: String
        var x = 0
        var y = 0
    }

    /// Moves the pointer to a point, and leaves it there.
    func point(at point: Point) async throws {
        try await perform([("pointer", "mouse", [try await move(to: point, 0)])])
    }

    /// Copies a text to the clipboard, and gives back the focus.
    func copy(_ text: String) async throws {
        try await evaluate(
            """
            window.former = document.activeElement;
            const field = document.createElement("textarea");
            field.id = "copied";
            field.value = arguments[0];
            document.body.append(field);
            field.focus();
            """, .string(text))
        try await type("{Ctrl+a}{Ctrl+c}")
        try await evaluate("document.querySelector('#copied').remove(); window.former.focus();")
    }

    /// Presses at one point, moves in steps to others, and releases at the last. With `cancelling`, Escape is
    /// pressed before the release.
    func drag(from start: Point, to ends: Point..., cancelling: Bool = false) async throws {
        var actions = [try await move(to: start, 0), Self.pointer("pointerDown")]
        for end in ends { actions.append(try await move(to: end, 80)) }
        if cancelling {
            try await perform([("pointer", "mouse", actions)], releases: false)
            try await type("{Escape}")
            actions = []
        }
        try await perform([("pointer", "mouse", actions + [Self.pointer("pointerUp")])])
    }

    private func move(to point: Point, _ milliseconds: Int64) async throws -> JSONValue {
        let reference = try await element(point.selector)
        return .object([
            .init("type", .string("pointerMove")), .init("duration", .integer(milliseconds)),
            .init("x", .integer(Int64(point.x))), .init("y", .integer(Int64(point.y))),
            .init("origin", .object([.init("element-6066-11e4-a52e-4f735466cecf", .string(reference))])),
        ])
    }

    private static func pointer(_ kind: String) -> JSONValue {
        .object([.init("type", .string(kind)), .init("button", .integer(0))])
    }

    private func perform(
        _ sources: [(type: String, id: String, actions: [JSONValue])], releases: Bool = true
    ) async throws {
        let list = sources.map { source in
            JSONValue.object([
                .init("type", .string(source.type)), .init("id", .string(source.id)),
                .init("actions", .array(source.actions)),
            ])
        }
        try await driver.call("POST", "actions", .object([.init("actions", .array(list))]))
    }

    /// Shows the page as a system in dark colours does.
    func useDarkColours() async throws {
        try await tell(
            "Emulation.setEmulatedMedia",
            WebDriver.json(#"{"features": [{"name": "prefers-color-scheme", "value": "dark"}]}"#))
    }

    /// Gives the window another size, in points.
    func resize(to size: (width: Int, height: Int)) async throws {
        try await driver.call(
            "POST", "window/rect", WebDriver.json(#"{"width": \#(size.width), "height": \#(size.height)}"#))
    }

    /// Shows the page as for a user who has chosen letters of a size, in points; 16 is usual.
    func useLetters(of size: Int64) async throws {
        try await tell(
            "Page.setFontSizes",
            WebDriver.json(#"{"fontSizes": {"standard": \#(size), "fixed": \#(size)}}"#))
    }

    /// Has the browser save what is downloaded in a folder, without asking.
    func saveDownloads(in folder: URL) async throws {
        try await tell(
            "Browser.setDownloadBehavior",
            .object([.init("behavior", .string("allow")), .init("downloadPath", .string(folder.path))]))
    }

    /// Carries out a command of the browser's developer tools.
    @discardableResult
    func tell(_ command: String, _ parameters: JSONValue = .object([])) async throws -> JSONValue {
        try await driver.call(
            "POST", "goog/cdp/execute",
            .object([.init("cmd", .string(command)), .init("params", parameters)]))
    }

    // MARK: Reporting

    func screenshot() async throws -> Data {
        Data(base64Encoded: try await driver.call("GET", "screenshot").string ?? "") ?? Data()
    }

    /// What the page and the browser wrote into the console.
    func console() async throws -> [String] {
        let log = try await driver.call("POST", "se/log", .object([.init("type", .string("browser"))]))
        guard case .array(let entries) = log else { return [] }
        return entries.map { "\($0["level"]?.string ?? "") \($0["message"]?.string ?? "")" }
    }
}
#endif
