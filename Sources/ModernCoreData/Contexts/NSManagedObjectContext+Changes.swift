public import CoreData

extension NSManagedObjectContext {
    // MARK: Inserting

    /// Inserts a new object of the requested class: `let book: Book = context.insertObject()`.
    ///
    /// Traps if the model has no entity with the class's entity name, or if the entity's objects are of
    /// another class.
    public func insertObject<Object: Managed>() -> Object {
        let object = NSEntityDescription.insertNewObject(forEntityName: Object.entityName, into: self)
        guard let typed = object as? Object else {
            programmerError(
                "The entity \(Object.entityName) has the class \(type(of: object)), not \(Object.self): set the "
                    + "class in the model, or entityName in \(Object.self).")
        }
        return typed
    }

    // MARK: Saving

    /// Saves the context, or rolls back everything that was not saved; returns whether it saved.
    ///
    /// To get the error, use ``saveRollingBack()``.
    @discardableResult
    public func saveOrRollback() -> Bool {
        (try? saveRollingBack()) != nil
    }

    /// Saves the context; if that fails, rolls back everything that was not saved.
    ///
    /// - Throws: The error of the save.
    public func saveRollingBack() throws { try saving {} }

    /// Schedules a save or rollback on the context's queue and returns at once; an error is ignored.
    public func performSaveOrRollback() {
        perform { self.saveOrRollback() }
    }

    // MARK: Changing

    /// Schedules a block on the context's queue, followed by a save or rollback, and returns at once; an
    /// error of the save is ignored.
    public func performChanges(block: @escaping () -> Void) {
        perform {
            block()
            self.saveOrRollback()
        }
    }

    /// Runs a block on the context's queue, saves, and returns the result of the block.
    ///
    /// If the block or the save throws, everything that was not saved is rolled back, including changes from
    /// before the block. The result is `Sendable`: return an object's ID, not the object.
    ///
    /// - Throws: The error of the block or of the save.
    public nonisolated(nonsending) func performChanges<Result: Sendable>(
        _ block: @escaping () throws -> Result
    ) async throws -> Result {
        try await perform { try self.saving(block) }
    }

    private func saving<Result>(_ block: () throws -> Result) throws -> Result {
        do {
            let result = try block()
            try save()
            return result
        } catch {
            rollback()
            throw error
        }
    }
}
