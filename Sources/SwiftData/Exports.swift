@_exported import Foundation
@_exported import Observation
public import class CoreData.UndoManager
public import class CoreData.ValueTransformer

/// Records changes and takes them back; Foundation on Linux has none.
public typealias UndoManager = CoreData.UndoManager

/// Turns values into data and back; Foundation on Linux has none.
public typealias ValueTransformer = CoreData.ValueTransformer
