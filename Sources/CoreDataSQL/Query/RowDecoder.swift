import CoreDataModelFormat
package import CoreDataStore
package import CoreDataValues

/// The decoder of a statement's result into packed rows. It finds out the lengths of long values first, so
/// that each row is one allocation.
package final class RowDecoder<Cells: CellSource> {
    package let plan: ResultPlan
    /// The entity of the last row, which is usually also that of the next one.
    @exclusivity(unchecked) @usableFromInline
    package var last: (number: Int64, plan: ResultPlan.EntityPlan?) = (-1, nil)
    /// The texts and blobs of the present row, in unmanaged memory, which is written without a uniqueness
    /// check.
    @exclusivity(unchecked) @usableFromInline
    package var values = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>(start: nil, count: 0)

    package init(_ plan: ResultPlan) {
        self.plan = plan
    }

    deinit { values.deallocate() }

    /// Decodes a row. Nil if its entity number is not in the plan, or if its key is below 1, since such keys
    /// belong to unsaved objects.
    @inlinable
    package func decode(_ cells: Cells) -> Snapshot? {
        let number = cells.integer(ResultPlan.entityColumn)
        if number != last.number { last = (number, plan.entity(numbered: number)) }
        let key = cells.integer(ResultPlan.keyColumn)
        guard let entity = last.plan, key > 0 else { return nil }
        let layouts = entity.layout.columnPointer
        let row = Snapshot.make(
            entity.layout,
            key: key,
            version: cells.integer(ResultPlan.versionColumn),
            tailBytes: findLengthyValues(entity.lengthy, layouts, cells))
        for (index, source) in entity.lengthy.enumerated() {
            decode(values[index], of: source, as: layouts[source.column], cells, into: row)
        }
        decodeScalars(entity, layouts, cells, into: row)
        if !entity.composites.isEmpty { decodeComposites(entity, cells, into: row) }
        return row
    }

    /// Notes the texts and blobs of the present row, and returns the number of bytes that need room in its
    /// tail.
    @inlinable @inline(__always)
    package func findLengthyValues(
        _ sources: [ResultPlan.Source], _ layouts: UnsafePointer<RowLayout.Column>, _ cells: Cells
    ) -> Int {
        var tailBytes = 0
        if values.count < sources.count {
            values.deallocate()
            values = .allocate(capacity: sources.count)
        }
        for (index, source) in sources.enumerated() {
            let isText = layouts[source.column].storage == .text
            let value = isText ? cells.text(source.source) : cells.blob(source.source)
            values.initializeElement(at: index, to: value)
            if Snapshot.needsTail(value.count) { tailBytes += value.count }
        }
        return tailBytes
    }

    @inlinable @inline(__always)
    package func decode(
        _ value: UnsafeRawBufferPointer, of source: ResultPlan.Source, as layout: RowLayout.Column,
        _ cells: Cells, into row: Snapshot
    ) {
        switch (layout.storage, value.baseAddress) {
        case (.bytes, nil): if !cells.isNull(source.source) { row.setPacked(source.column, value) }
        case (_, nil): break
        case (.bytes, _) where layout.allowsExternalStorage:
            cells.setExternal(value, source.column, of: row)
        default: row.setPacked(source.column, value)
        }
    }

    @inlinable @inline(__always)
    package func decodeScalars(
        _ entity: ResultPlan.EntityPlan, _ layouts: UnsafePointer<RowLayout.Column>, _ cells: Cells,
        into row: Snapshot
    ) {
        let words = row.words
        for scalar in entity.scalars {
            let (column, source) = (scalar.column, scalar.source)
            // Numbers are written directly into their words, since fetches spend most of their time in this
            // loop.
            switch layouts[column].storage {
            case .integer:
                let value = cells.integer(source)
                if value != 0 || !cells.isNull(source) {
                    words[layouts[column].offset] = UInt64(bitPattern: value)
                    Snapshot.markPresent(column, in: words)
                }
            case .double:
                let value = cells.double(source)
                if value != 0 || !cells.isNull(source) {
                    words[layouts[column].offset] = value.bitPattern
                    Snapshot.markPresent(column, in: words)
                }
            case .reference:
                let key = cells.integer(source)
                if key > 0, let destination = entity.destinations[column] {
                    row.setToOne(column, reference(key, destination, cells))
                }
            case .uuid: if let value = cells.uuid(source) { row.setUUID(column, value) }
            case .decimal: if let value = cells.decimal(source) { row.setDecimal(column, value) }
            case .text, .bytes: break
            }
        }
    }

    @inlinable
    package func decodeComposites(_ entity: ResultPlan.EntityPlan, _ cells: Cells, into row: Snapshot) {
        for composite in entity.composites {
            row.setValue(
                composite.column,
                .composite(
                    of: composite.elements.map {
                        ($0.path[...], AttributeValue(cells.value($0.source), as: $0.type))
                    }))
        }
    }

    /// Returns a to-one reference. The number of an entity that the relationship does not allow is ignored.
    @inlinable
    package func reference(
        _ key: Int64, _ destination: ResultPlan.Destination, _ cells: Cells
    ) -> ObjectReference {
        if destination.entitySource >= 0 {
            let number = Int(cells.integer(destination.entitySource))
            if plan.entityIndexByNumber.indices.contains(number),
                destination.family.contains(plan.entityIndexByNumber[number])
            {
                return ObjectReference(entity: plan.entityIndexByNumber[number], key: key)
            }
        }
        return ObjectReference(entity: destination.entity, key: key)
    }
}
