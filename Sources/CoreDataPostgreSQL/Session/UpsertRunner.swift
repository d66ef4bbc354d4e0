import CoreDataLibpq
import CoreDataModelFormat
import CoreDataSQL
import CoreDataStore
import CoreDataValues

/// The execution of upserts on a session: two round trips for many rows. The first finds the stored rows that have
/// their unique values, the second changes those and inserts the others.
struct UpsertRunner {
    private var receipt = UpsertReceipt()
    private let upserts: UpsertCompiler
    private let text: UpsertText
    private let session: Session

    /// The greatest number of times in succession that other connections may take the values of all rows.
    private static let mostAttempts = 100
    /// The number of rows that are looked at together, at least.
    private static let shortest = 64

    init(_ upserts: UpsertCompiler, on session: Session) {
        self.upserts = upserts
        self.session = session
        text = UpsertText(upserts)
    }

    consuming func run(_ rows: [BatchRow]) throws(SQLError) -> UpsertReceipt {
        if upserts.policy == .keepStored {
            _ = try write(new: Array(rows.indices), of: rows)
            return receipt
        }
        var rest = rows
        var attempts = 0
        var length = rest.count
        while !rest.isEmpty {
            let candidates = UpsertWave.withoutDuplicates(rest.prefix(length), upserts.constraints)
            let wave = UpsertWave(candidates, holders: try holders(of: candidates), upserts)
            let missed = try write(wave, of: rest)
            attempts = missed.count == wave.count ? attempts + 1 : 0
            if attempts == Self.mostAttempts { throw takenAgain }
            // Rows that depend on one another are looked at again, so there should not be many.
            length = max(Self.shortest, 2 * wave.count)
            rest = missed + rest.dropFirst(wave.count)
        }
        return receipt
    }

    private var takenAgain: SQLError {
        let name = upserts.saver.schema.model[upserts.table.entity].name
        return SQLError(
            kind: .constraint, code: 0, message: "unique values of \(name) are taken again and again",
            sql: text.insertion)
    }

    // MARK: Reading

    private func holders(of rows: ArraySlice<BatchRow>) throws(SQLError) -> UpsertWave.Holders {
        let columns = text.uniqueColumns
        let parameters = try ParameterList(arraysOf: rows.indices, text.uniqueTypes + [.int8]) {
            position, parameters throws(SQLError) in
            try parameters.bind(rows[position].values, columns: columns, from: 1)
            try parameters.bind(Int64(position), at: columns.count + 1)
        }
        var holders: UpsertWave.Holders = [:]
        for result in try session.send([PipelineStep(text.holders, parameters)]) {
            result.forEachRow { row in
                holders[Int(row.integer(0)), default: []].append(row.integer(1))
            }
        }
        return holders
    }

    // MARK: Writing

    /// Writes rows. Returns those that have to be looked at again, since others took their values meanwhile.
    private mutating func write(_ wave: UpsertWave, of rows: [BatchRow]) throws(SQLError) -> [BatchRow] {
        var steps: [PipelineStep] = []
        var changes: [UpsertCompiler.Change] = []
        var missed: Set<Int> = []
        for (given, changing) in wave.changing {
            guard let change = upserts.change(given) else { continue }
            changes.append(change)
            // A row that does not meet the condition is left as it is.
            if change.condition == nil { missed.formUnion(changing.map(\.position)) }
            steps.append(try step(change, changing, of: rows))
        }
        if !wave.new.isEmpty { steps.append(try insertion(of: wave.new, rows)) }
        let results = try session.send(steps)
        for (change, result) in zip(changes, results) {
            result.forEachRow { cells in
                let position = Int(cells.integer(0))
                missed.remove(position)
                receipt.note(
                    rows[position], key: cells.integer(1), entity: cells.integer(2), change.columns,
                    in: upserts.saver.schema)
            }
        }
        if let result = results.dropFirst(changes.count).first {
            missed.formUnion(note(inserted: wave.new, of: rows, result))
        }
        return missed.sorted().map { rows[$0] }
    }

    private mutating func write(new positions: [Int], of rows: [BatchRow]) throws(SQLError) {
        for result in try session.send([insertion(of: positions, rows)]) {
            _ = note(inserted: positions, of: rows, result)
        }
    }

    /// Notes the rows that were inserted. Returns those that were not.
    private mutating func note(
        inserted positions: [Int], of rows: [BatchRow], _ result: StepResult
    ) -> [Int] {
        var keys: Set<Int64> = []
        result.forEachRow { keys.insert($0.integer(0)) }
        var others: [Int] = []
        for position in positions {
            let reference = rows[position].values.reference
            if keys.contains(reference.key) {
                receipt.inserted.append(reference)
            } else {
                others.append(position)
            }
        }
        return others
    }

    private func insertion(of positions: [Int], _ rows: [BatchRow]) throws(SQLError) -> PipelineStep {
        let binder = RowBinder(upserts.saver)
        return PipelineStep(
            text.insertion,
            try ParameterList(arraysOf: positions, text.types) { position, parameters throws(SQLError) in
                let row = rows[position].values
                try binder.bindInsert(row, row.key, text.row, upserts.table, to: parameters)
            })
    }

    private func step(
        _ change: UpsertCompiler.Change, _ changing: [(position: Int, key: Int64)], of rows: [BatchRow]
    ) throws(SQLError) -> PipelineStep {
        let binder = RowBinder(upserts.saver)
        return PipelineStep(
            text.change(change),
            try ParameterList(arraysOf: changing, text.types + [.int8, .int8]) {
                changing, parameters throws(SQLError) in
                let row = rows[changing.position].values
                let next = try binder.bindInsert(row, row.key, text.row, upserts.table, to: parameters)
                try parameters.bind(Int64(changing.position), at: next)
                try parameters.bind(changing.key, at: next + 1)
            })
    }
}
