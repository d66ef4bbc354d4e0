@testable import CoreDataSyncCore

extension Capture {
    /// Returns the capture in portions of so many objects, as a device reads a large store.
    func portions(of size: Int, _ schema: SyncSchema) -> [Capture] {
        var portions: [Capture] = []
        for parts in [Parts.attributes, .references, .members] {
            for start in stride(from: 0, to: max(1, rows.count), by: size) {
                var portion = self
                portion.rows = rows.dropFirst(start).prefix(size).map { $0.having(parts, schema) }
                portion.parts = parts
                portion.objects = isWhole && portions.isEmpty ? Set(rows.map(\.local)) : nil
                if !portions.isEmpty { portion.deleted = [:] }
                (portion.isFirst, portion.isLast) = (portions.isEmpty, false)
                portions.append(portion)
            }
        }
        portions[portions.count - 1].isLast = true
        return portions
    }
}

extension CapturedRow {
    /// Returns what a portion has of the object.
    fileprivate func having(_ parts: Capture.Parts, _ schema: SyncSchema) -> CapturedRow {
        var row = self
        let references = Set((schema.entities[entity]?.references ?? []).map(\.name))
        row.values = values.filter { parts.contains(references.contains($0.key) ? .references : .attributes) }
        if !parts.contains(.members) { (row.lists, row.partners) = ([:], [:]) }
        return row
    }
}
