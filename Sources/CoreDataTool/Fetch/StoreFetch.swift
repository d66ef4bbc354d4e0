import CoreData
import CoreDataJSON
import CoreDataModelFormat
import Foundation

/// A fetch from a store, printed object by object.
package struct StoreFetch {
    package enum Format: String, Sendable, CaseIterable {
        case table
        case json
        case csv
    }

    private let store: OpenedStore
    private let request: NSFetchRequest<NSManagedObject>
    private let columns: [String]
    private static let batchSize = 500

    package init(_ specification: FetchSpecification, from store: OpenedStore) throws {
        let model = try store.matchingModel()
        let entity = try model.entity(named: specification.entity)
        self.store = store
        request = try specification.request(in: model)
        if specification.properties.isEmpty {
            columns = ["objectID"] + entity.columns.map(\.name).sorted()
        } else {
            columns = specification.properties
            for property in columns { _ = try PropertyPath(property, of: entity, in: model) }
        }
    }

    /// Returns the number of objects.
    package func count() throws -> Int {
        try store.reading { try $0.count(for: request) }
    }

    /// Writes one line per object, or all objects as one JSON array. A table is written after all rows have
    /// been read.
    package func write(_ format: Format, to output: (String) throws -> Void) throws {
        switch format {
        case .table:
            var table = TextTable(columns.map { ($0, .left) })
            try forEachRow { values in table.append(Self.texts(values)) }
            try table.lines.forEach(output)
        case .csv:
            try output(CSV.line(columns))
            try forEachRow { values in try output(CSV.line(Self.texts(values))) }
        case .json:
            var last: String?
            try forEachRow { values in
                try output(last.map { $0 + "," } ?? "[")
                let members = zip(columns, values).map { JSONValue.Member($0, CellValue.json($1)) }
                last = "  " + JSONValue.object(members).line
            }
            try output(last ?? "[")
            try output("]")
        }
    }

    private static func texts(_ values: [Any?]) -> [String] {
        values.map { CellValue.text(CellValue.json($0), of: $0) }
    }

    /// Calls the closure with the values of each object. It reads 500 objects at a time and then releases
    /// them.
    private func forEachRow(_ body: ([Any?]) throws -> Void) throws {
        try store.reading { context in
            request.resultType = .managedObjectIDResultType
            let ids = try context.fetch(request.retyped(to: NSManagedObjectID.self))
            for start in stride(from: 0, to: ids.count, by: Self.batchSize) {
                let batch = Array(ids[start..<min(start + Self.batchSize, ids.count)])
                for object in try context.objects(batch) {
                    try body(columns.map { object.value(forKeyPath: $0) })
                }
                context.reset()
            }
        }
    }
}
