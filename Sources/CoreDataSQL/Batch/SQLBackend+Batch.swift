import CoreDataModelFormat
package import CoreDataStore
import CoreDataValues

/// Batches. Each runs in one transaction and, like a save, keeps derived attributes and history.
extension SQLBackend: BatchBackend {
    package func run(_ batch: BatchInsert, rows: () -> BatchRowAnswer) throws(StoreError) -> BatchReceipt {
        let table = try table(of: batch.entity)
        // Rows are asked for once.
        return try transaction(mayRepeat: false) { connection throws(SQLError) in
            let runner = try BatchInsertRunner(batch, into: table, of: self, on: connection)
            return try runner.run(rows)
        }
    }

    package func run(_ batch: BatchUpdate) throws(StoreError) -> BatchReceipt {
        let plan = try BatchUpdateCompiler(batch, compiler).plan()
        return try transaction { connection throws(SQLError) in
            try BatchUpdateRunner(plan, of: self, on: connection).run()
        }
    }

    package func run(_ batch: BatchDelete) throws(StoreError) -> BatchReceipt {
        let plan = try BatchDeleteCompiler(batch, compiler, dialect).plan()
        let preserving = try preservingQueries(plan)
        return try transaction { connection throws(SQLError) in
            try BatchDeleteRunner(plan, preserving: preserving, of: self, on: connection).run()
        }
    }

    private func preservingQueries(_ plan: BatchDeletePlan) throws(StoreError) -> [EntityIndex: CompiledQuery]
    {
        guard history?.preservesValues ?? false else { return [:] }
        var queries: [EntityIndex: CompiledQuery] = [:]
        for root in Set(plan.entities.map({ schema.model[$0].root })) {
            queries[root] = try rowQuery(root, isBatch: true)
        }
        return queries
    }

    func table(of entity: EntityIndex) throws(StoreError) -> EntityTable {
        if let table = schema[entity] { return table }
        throw StoreError(
            .unsupported, "entity \(schema.model[entity].name) is not in this store", path: path)
    }

    private func transaction(
        mayRepeat: Bool = true,
        _ body: (any SQLConnection) throws(SQLError) -> Result<BatchReceipt, StoreError>
    ) throws(StoreError) -> BatchReceipt {
        let outcome = try write(mayRepeat: mayRepeat) { connection throws(SQLError) in
            try connection.begin(.immediate)
            let outcome = try body(connection)
            switch outcome {
            case .success: try connection.commit()
            case .failure: connection.rollback()
            }
            return outcome
        }
        switch outcome {
        case .success(let receipt): return receipt
        case .failure(let error): throw error
        }
    }
}
