#if SyncServer
import CoreMetrics
import Synchronization

/// Metrics in memory, which `/metrics` shows in the text format that Prometheus reads.
///
/// Timers and recorders are shown as a count and a sum, of which a reader makes averages.
final class MetricsText: MetricsFactory, Sendable {
    struct Key: Hashable, Comparable {
        let label: String
        let dimensions: [String]

        init(_ label: String, _ dimensions: [(String, String)]) {
            self.label = Self.name(label)
            self.dimensions = dimensions.map { "\(Self.name($0.0))=\"\(Self.escape($0.1))\"" }
        }

        /// Replaces what a name must not have.
        private static func name(_ text: String) -> String {
            String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        }

        private static func escape(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        }

        static func < (first: Key, second: Key) -> Bool {
            first.label != second.label
                ? first.label < second.label : first.dimensions.lexicographicallyPrecedes(second.dimensions)
        }

        func line(_ suffix: String, _ value: Double) -> String {
            let braces = dimensions.isEmpty ? "" : "{\(dimensions.joined(separator: ","))}"
            let isWhole = value == value.rounded() && abs(value) < 1e15
            return "\(label)\(suffix)\(braces) \(isWhole ? String(Int64(value)) : String(value))\n"
        }
    }

    enum Kind: String {
        case counter, gauge, summary
    }

    private let cells = Mutex<[Key: Cell]>([:])

    private func cell(_ kind: Kind, _ label: String, _ dimensions: [(String, String)]) -> Cell {
        let key = Key(label, dimensions)
        return cells.withLock { cells in
            if let cell = cells[key] { return cell }
            let cell = Cell(kind)
            cells[key] = cell
            return cell
        }
    }

    /// All metrics as text.
    var text: String {
        let all = cells.withLock { $0.sorted { $0.key < $1.key } }
        var text = ""
        var last: String?
        for (key, cell) in all {
            if key.label != last { text += "# TYPE \(key.label) \(cell.kind.rawValue)\n" }
            last = key.label
            let (count, sum) = cell.state
            switch cell.kind {
            case .counter, .gauge: text += key.line("", sum)
            case .summary: text += key.line("_count", Double(count)) + key.line("_sum", sum)
            }
        }
        return text
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(.counter, label, dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(.gauge, label, dimensions)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        cell(aggregate ? .summary : .gauge, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        cell(.summary, label + "_seconds", dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

/// The number behind a metric of any kind.
final class Cell: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, Sendable {
    let kind: MetricsText.Kind
    private let value = Mutex<(count: Int, sum: Double)>((0, 0))

    init(_ kind: MetricsText.Kind) {
        self.kind = kind
    }

    var state: (count: Int, sum: Double) { value.withLock { $0 } }

    private func add(_ amount: Double) {
        value.withLock { value in
            value.count += 1
            value.sum += amount
        }
    }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { value.withLock { $0 = (0, 0) } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ number: Double) { value.withLock { $0 = (1, number) } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { if kind == .gauge { set(value) } else { add(value) } }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
}
#endif
