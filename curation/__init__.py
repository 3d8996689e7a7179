"""Question production: stages from records to records and rejections, one module a stage."""
