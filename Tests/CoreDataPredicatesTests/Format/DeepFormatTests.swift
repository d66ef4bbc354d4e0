import CoreDataPredicates
import CoreDataValues
import Dispatch
import Foundation
import Testing

@Suite("Deep and long formats")
struct DeepFormatTests {
    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    /// Formats that grow with a number: by nesting, or as chains that lean to one side.
    static let shapes: [@Sendable (Int) -> String] = [
        { repeated("(", $0) + "a == 1" + repeated(")", $0) },
        { "a == " + repeated("(", $0) + "1" + repeated(")", $0) },
        { repeated("NOT ", $0) + "a == 1" },
        { "a == " + repeated("-", $0) + "b" },
        { "a == " + repeated("~", $0) + "b" },
        { "a == 1" + repeated(" + 1", $0) },
        { "a == 2" + repeated(" ** 2", $0) },
        { "a == b" + repeated(" UNION b", $0) },
        { "a == b" + repeated("[0]", $0) },
        { "a == b" + repeated("[0].c", $0) },
        { "a == " + repeated("b[", $0) + "0" + repeated("]", $0) },
        { "a IN " + repeated("{", $0) + repeated("}", $0) },
        { "a == " + repeated("abs(", $0) + "1" + repeated(")", $0) },
        { "a == " + repeated("TERNARY(a == 1, 2, ", $0) + "3" + repeated(")", $0) },
        { repeated("SUBQUERY(a, $x, ", $0) + "b == 1" + repeated(").@count == 0", $0) },
        { repeated("(a == 1 OR ", $0) + "b == 1" + repeated(")", $0) },
        { repeated("(", $0) + "b == 1" + repeated(" OR a == 1)", $0) },
        { "a == " + repeated("(1 UNION (", $0) + "1" + repeated("))", $0) },
        { "a == " + repeated("(1 | 1 ^ 1 & 1 << 1 + 1 * 1 ** (", $0) + "1" + repeated("))", $0) },
        { "a == " + repeated("CAST(FUNCTION(1, 'foo:', ", $0) + "1" + repeated("), 1)", $0) },
        { "a == " + repeated("(1 + 1 + ", $0) + "1" + repeated(")", $0) },
        { "a == " + repeated("(", $0) + "1" + repeated(" + 1 + 1 + 1)", $0) },
    ]

    @Test("Trees too deep for a small stack are refused, all others can be evaluated", arguments: shapes)
    func depth(shape: @escaping @Sendable (Int) -> String) throws {
        // The stack size of Dispatch's and the C library's threads.
        let failures = try onThread(stackSize: 512 * 1024) {
            var failures: [String] = []
            for count in [
                1, 10, 19, 24, 32, 33, 34, 48, 49, 50, 60, 66, 95, 96, 97, 98, 99, 100, 150, 200, 1000,
                20_000,
            ] {
                let format = shape(count)
                do throws(PredicateSyntaxError) {
                    let node = try FormatParser.predicate(format)
                    let again = try FormatParser.predicate(NodePrinter.format(node))
                    if again != node || again.hashValue != node.hashValue {
                        failures.append("\(count) reads back")
                    }
                    if node.substituting(["y": integer(1)]) != node { failures.append("\(count) rewritten") }
                    let evaluator = try? NodeEvaluator(node)
                    _ = try? evaluator?.matches(.object(People.ann))
                    if count >= 1000 { failures.append("\(count) is accepted") }
                } catch {
                    if !error.expected.hasSuffix("nested terms") || count <= 10 {
                        failures.append("\(count): \(error)")
                    }
                }
            }
            return failures
        }
        #expect(failures == [])
    }

    @Test("The time to parse a format grows linearly with its length")
    func linear() throws {
        let shapes: [(String, String, String)] = [
            ("a == 1", " OR a == 1", ""), ("a IN {1", ", 1", "}"), ("a", ".b", " == 1"), ("a == '", "x", "'"),
            ("a == 1", " ", ""), ("a IN {(1)", ", (1)", "}"),
        ]
        for (start, part, end) in shapes {
            func cost(_ count: Int) throws -> Double {
                let format = start + Self.repeated(part, count) + end
                return try (0..<3).map { _ in
                    let before = Self.processorSeconds
                    _ = try FormatParser.predicate(format)
                    return Self.processorSeconds - before
                }.min()!
            }
            _ = try cost(100)
            let (short, long) = (try cost(500), try cost(8000))
            // Sixteen times the length; a quadratic parser takes 256 times as long.
            #expect(long < short * 100 + 0.02, "\(start)\(part)…")
        }
    }

    /// The processor time used by this thread alone, independent of other load on the machine.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func onThread<Result: Sendable>(
        stackSize: Int,
        _ body: @escaping @Sendable () -> Result
    ) throws -> Result {
        let box = Box<Result>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            box.value = body()
            done.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        done.wait()
        return try #require(box.value)
    }
}

/// Filled by one thread before another reads it.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}
