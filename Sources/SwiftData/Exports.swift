@_exported import Foundation
@_exported import Observation
public import class CoreData.UndoManager

/// Records changes and takes them back; Foundation on Linux has none.
public typealias UndoManager = CoreData.UndoManager
