#if Studio
import CoreDataJSON

/// Times of a page in milliseconds.
struct PageTimes {
    private let sorted: [Double]

    init(_ value: JSONValue) {
        guard case .array(let elements) = value else {
            sorted = []
            return
        }
        sorted = elements.compactMap(\.number).sorted()
    }

    var count: Int { sorted.count }
    var median: Double { sorted.isEmpty ? .nan : sorted[sorted.count / 2] }
    /// All but five of a hundred are as short.
    var mostly: Double { sorted.isEmpty ? .nan : sorted[sorted.count * 95 / 100] }
}

extension BrowserPage {
    /// Scrolls an element by steps, each in ten frames.
    func scroll(_ selector: String, by steps: [Int]) async throws {
        _ = try await evaluateLater(
            """
            const [selector, steps, done] = arguments;
            const moves = steps.flatMap(step => Array(10).fill(step / 10));
            (function next() {
                requestAnimationFrame(() => {
                    if (moves.length === 0) return done(null);
                    document.querySelector(selector).scrollTop += moves.shift();
                    next();
                });
            })();
            """, .string(selector), .array(steps.map { .integer(Int64($0)) }))
    }

    /// Turns the wheel over an element, by each of some steps in twenty frames.
    func turnWheel(over selector: String, by steps: [(x: Int64, y: Int64)]) async throws {
        _ = try await evaluateLater(
            """
            const [selector, steps, done] = arguments;
            const host = document.querySelector(selector);
            const turns = steps.flatMap(step => Array(20).fill(step));
            (function next() {
                requestAnimationFrame(() => {
                    if (turns.length === 0) return done(null);
                    const [deltaX, deltaY] = turns.shift();
                    host.dispatchEvent(new WheelEvent("wheel", { deltaX, deltaY, bubbles: true, cancelable: true }));
                    next();
                });
            })();
            """, .string(selector), .array(steps.map { .array([.integer($0.x), .integer($0.y)]) }))
    }

    /// Returns how long the frames took that were drawn meanwhile.
    func frames(while body: () async throws -> Void) async throws -> PageTimes {
        try await evaluate(
            """
            window.frames = [];
            let last = performance.now();
            requestAnimationFrame(function next() {
                const now = performance.now();
                window.frames?.push(now - last);
                last = now;
                if (window.frames !== undefined) requestAnimationFrame(next);
            });
            """)
        try await body()
        return PageTimes(
            try await evaluate("const times = window.frames; window.frames = undefined; return times;"))
    }

    /// Scrolls to places of an element, and returns how long it took each time until rows were there.
    func jumps(in selector: String, to places: [Int], rows: String, waiting: String) async throws -> PageTimes
    {
        PageTimes(
            try await evaluateLater(
                """
                const [selector, places, rows, waiting, done] = arguments;
                const times = [];
                (function jump() {
                    if (places.length === 0) return done(times);
                    const start = performance.now();
                    const first = document.querySelector(rows)?.getAttribute("aria-rowindex");
                    document.querySelector(selector).scrollTop = places.shift();
                    requestAnimationFrame(function look() {
                        const row = document.querySelector(rows);
                        if (row === null || row.getAttribute("aria-rowindex") === first
                            || document.querySelector(waiting) !== null) return requestAnimationFrame(look);
                        times.push(performance.now() - start);
                        jump();
                    });
                })();
                """, .string(selector), .array(places.map { .integer(Int64($0)) }), .string(rows),
                .string(waiting)))
    }

    /// Returns how long the requests took whose addresses contain a text.
    func requests(to address: String) async throws -> PageTimes {
        PageTimes(
            try await evaluate(
                """
                return performance.getEntriesByType("resource").filter(each => each.name.includes(arguments[0]))
                    .map(each => each.duration);
                """, .string(address)))
    }

    /// Returns how many bytes the objects of the page's scripts take, without what nothing refers to.
    func heap() async throws -> Double {
        try await tell("HeapProfiler.collectGarbage")
        return try await tell("Runtime.getHeapUsage")["usedSize"]?.number ?? .nan
    }
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
#endif
